#!/usr/bin/env python3
"""The lexer loses no character, takes no error, and knows keywords from names. Exit status 77: Pygments is not installed."""

import pathlib
import sys
import unittest

try:
    from pygments.token import Error, Keyword, Name, Number, Operator, String
except ModuleNotFoundError:
    print("skipped: pygments: the package is not installed")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from rl_lexer import RlLexer  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def lex(text):
    return [(kind, value) for kind, value in RlLexer(stripnl=False, ensurenl=False).get_tokens(text) if value.strip()]


class LexerTest(unittest.TestCase):
    def test_items(self):
        self.assertIn((Keyword.Declaration, "param"), lex("param γ = 0.9"))
        self.assertIn((Number.Float, "0.9"), lex("param γ = 0.9"))
        self.assertIn((Keyword, "until"), lex("index t in 0..3 until done"))
        self.assertIn((Name.Function, "gae"), lex("fn gae(x: f32) over t = x"))
        self.assertIn((Keyword, "over"), lex("fn gae(x: f32) over t = x"))
        self.assertIn((Name.Function, "step"), lex("env E {\n  step(a) { }\n}"))
        self.assertIn((Keyword, "each"), lex('report "a" = x each 2 i'))

    def test_words_that_are_names(self):
        self.assertEqual(lex("loss = index"), [(Name.Variable, "loss"), (Operator, "="), (Name, "index")])
        self.assertEqual(lex("x' = a.state")[0], (Name.Variable, "x'"))

    def test_ranges_and_strings(self):
        self.assertEqual([v for _, v in lex("0..=n")], ["0", "..=", "n"])
        self.assertIn((String.Escape, "\\n"), lex('print "a\\n"'))

    def test_every_program(self):
        programs = sorted((ROOT / "tests").rglob("*.rl")) + sorted((ROOT / "examples").rglob("*.rl"))
        self.assertTrue(programs)
        for path in programs:
            text = path.read_text()
            tokens = list(RlLexer(stripnl=False, ensurenl=False).get_tokens(text))
            self.assertEqual("".join(value for _, value in tokens), text, path)
            self.assertFalse([t for t in tokens if t[0] in Error], path)


if __name__ == "__main__":
    unittest.main()
