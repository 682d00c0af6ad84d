#!/usr/bin/env python3
"""Ports a generated lexer or parser to the C++ runtime that is installed.

Ubuntu 24.04 has ANTLR's tool 4.9 beside its runtime 4.10, which reads another form of the automaton (version 4: plain numbers;
version 3: 16 bits, each but the first with 2 added, an identifier after the first) and has another interface in five places.
What a tool from 4.10 on made is left as it is.

    port_to_runtime.py FOLDER/RlLexer [FOLDER/RlParser ...]     rewrites FILE.h and FILE.cpp
"""

import re
import sys
from pathlib import Path

NONE = 0xFFFF  # how version 3 writes -1: no rule, the end of the file, no argument
LEXER = 0
INVALID, BLOCK_STARTS, LOOP_END = 0, (3, 4, 5), 12  # kinds of states (ATNState)
ACTION = 6  # kind of an edge (Transition)


def version_4(words):
    """The automaton of version 3 in the form of version 4 (ATNSerializer of 4.9 and of 4.10)."""
    if words[0] != 3:
        raise ValueError(f"an automaton of version {words[0]}, not 3")
    identifier = 8
    source = iter([(word - 2) & 0xFFFF for word in words[1 + identifier:]])
    result = [4]

    def take(count=1):
        taken = [next(source) for _ in range(count)]
        result.extend(taken)
        return taken[-1] if taken else None

    def take_signed():
        value = next(source)
        result.append(-1 if value == NONE else value)

    kind = take()
    take()  # the largest token
    for _ in range(take()):
        state = take()
        if state == INVALID:
            continue
        take_signed()  # its rule
        if state == LOOP_END or state in BLOCK_STARTS:
            take()  # the other end
    take(take())  # states that are not greedy
    take(take())  # states with precedences
    for _ in range(take()):  # rules
        take()
        if kind == LEXER:
            take_signed()  # the token
    take(take())  # modes

    # Sets come in two lists, of 16 and of 32 bits, and become one.
    at = len(result)
    result.append(0)
    for halves in (1, 2):
        sets = next(source)
        result[at] += sets
        for _ in range(sets):
            intervals = take()
            take()  # contains the end of the file
            for _ in range(2 * intervals):
                result.append(sum(next(source) << 16 * half for half in range(halves)))

    for _ in range(take()):  # edges: from, to, kind and three arguments
        take(2)
        edge = take()
        take()
        take_signed() if edge == ACTION else take()
        take()
    take(take())  # decisions
    if kind == LEXER:
        for _ in range(take()):  # actions
            take()
            take_signed()
            take_signed()
    if next(source, None) is not None:
        raise ValueError("the automaton goes on behind its end")
    return result


def replaced(text, changes):
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text)
        if count == 0:
            raise ValueError(f"nothing matches {pattern}")
    return text


def header(text):
    """The automaton is owned by a pointer (it can't be copied), its table is of int32_t, token names are the vocabulary's."""
    lexer = "public antlr4::Lexer" in text
    return replaced(text, [
        (r".*\bgetTokenNames\(\).*\n", ""),
        (r"static antlr4::atn::ATN _atn;", "static std::unique_ptr<antlr4::atn::ATN> _atn;"),
        (r"static std::vector<uint16_t> _serializedATN;", "static std::vector<int32_t> _serializedATN;"),
        (r"const std::vector<uint16_t> getSerializedATN\(\)", "antlr4::atn::SerializedATNView getSerializedATN()") if lexer
        else (r"getATN\(\) const override \{ return _atn; \}", "getATN() const override { return *_atn; }"),
    ])


def source(text):
    lexer = ": Lexer(input)" in text
    # The tool 4.9 puts the words into arrays and appends those, 4.7 assigns them.
    tables = re.compile(r"(?:static const uint16_t serializedATNSegment\d+\[\]|_serializedATN) = \{([^}]*)\};")
    words = [int(word, 0) for part in tables.findall(text) for word in part.replace(",", " ").split()]
    text = re.sub(r"_serializedATN\.insert\([^;]*;", "", tables.sub("", text))
    table = ", ".join(str(word) for word in version_4(words))
    if lexer:
        text = replaced(text, [
            (r"const std::vector<std::string>& \w+::getTokenNames\(\) const \{.*\n.*\n\}\n", ""),
            (r"const std::vector<uint16_t> (\w+)::getSerializedATN\(\)", r"antlr4::atn::SerializedATNView \1::getSerializedATN()"),
            (r"return _atn;", "return *_atn;"),
        ])
    return replaced(text, [
        (r"(ATNSimulator\(this, )_atn,", r"\1*_atn,"),
        (r"atn::ATN (\w+)::_atn;", r"std::unique_ptr<atn::ATN> \1::_atn;"),
        (r"std::vector<uint16_t> (\w+)::_serializedATN;", r"std::vector<int32_t> \1::_serializedATN;"),
        (r"std::string name = _vocabulary\.getLiteralName\(i\);", "std::string name(_vocabulary.getLiteralName(i));"),
        (r"atn::ATNDeserializer deserializer;", f"_serializedATN = {{{table}}};\n  atn::ATNDeserializer deserializer;"),
        (r"_atn\.get", "_atn->get"),
    ])


def main(stems):
    for stem in stems:
        for suffix, port in ((".h", header), (".cpp", source)):
            path = Path(stem + suffix)
            text = path.read_text()
            if re.search(r"\buint16_t\b|\bgetTokenNames\b", text):
                path.write_text(port(text))


if __name__ == "__main__":
    main(sys.argv[1:])
