"""Compares what `rlc run` printed with what was expected: words exactly, numbers within a tolerance."""

import json
import math
import re

TOKEN = re.compile(
    r"""
    (?P<number>(?<![\w.])-?(?:\d+\.\d+|\d+\.|\.\d+|\d+)(?:[eE][-+]?\d+)?(?!\w)|-?\binf\b|-?\bnan\b)
  | (?P<word>\w+)
  | (?P<mark>[^\w\s])
    """,
    re.VERBOSE,
)
INTEGER = re.compile(r"-?\d+\Z")


def tokens(line):
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(line)]


def numbers_agree(expected, actual, tolerance):
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    if math.isinf(expected) or math.isinf(actual):
        return expected == actual
    return abs(expected - actual) <= tolerance * max(1.0, abs(expected))


def texts_agree(expected, actual, tolerance):
    """Integers on both sides must be equal; any other pair of numbers only close."""
    left, right = tokens(expected), tokens(actual)
    if len(left) != len(right):
        return False
    for (left_kind, left_text), (right_kind, right_text) in zip(left, right):
        if left_kind != right_kind:
            return False
        if left_kind == "number" and not (INTEGER.match(left_text) and INTEGER.match(right_text)):
            if not numbers_agree(float(left_text), float(right_text), tolerance):
                return False
        elif left_text != right_text and (left_kind != "number" or int(left_text) != int(right_text)):
            return False
    return True


def values_agree(expected, actual, tolerance):
    """Compares two JSON values; `true` is not 1, and the order of fields does not matter."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, int) and isinstance(actual, int):
        return expected == actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return numbers_agree(float(expected), float(actual), tolerance)
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(
            values_agree(left, right, tolerance) for left, right in zip(expected, actual)
        )
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(
            values_agree(expected[key], actual[key], tolerance) for key in expected
        )
    return type(expected) is type(actual) and expected == actual


def lines_agree(expected, actual, tolerance):
    if expected.lstrip().startswith('{"'):
        try:
            return values_agree(json.loads(expected), json.loads(actual), tolerance)
        except ValueError:
            return False
    return texts_agree(expected, actual, tolerance)


def first_difference(expected, actual, tolerance):
    """None when the lists of lines agree, else one sentence."""
    for number, (left, right) in enumerate(zip(expected, actual), start=1):
        if not lines_agree(left, right, tolerance):
            return f"line {number}: expected `{left}`, got `{right}`"
    if len(actual) < len(expected):
        return f"line {len(actual) + 1}: expected `{expected[len(actual)]}`, got nothing"
    if len(actual) > len(expected):
        return f"line {len(expected) + 1}: expected nothing, got `{actual[len(expected)]}`"
    return None
