#!/usr/bin/env python3
"""Tests of the tree-sitter grammar with nothing but a C compiler and libtree-sitter: the corpus (test/corpus/*.txt), the queries,
and every program of the repository, which must parse without an error node. Exit status 0: passed, 1: failed, 77: skipped."""

import argparse
import ctypes
import ctypes.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIPPED = 77


class Node(ctypes.Structure):
    _fields_ = [("context", ctypes.c_uint32 * 4), ("id", ctypes.c_void_p), ("tree", ctypes.c_void_p)]


class Point(ctypes.Structure):
    _fields_ = [("row", ctypes.c_uint32), ("column", ctypes.c_uint32)]


class Skip(Exception):
    pass


def build(folder):
    """The grammar as a shared library."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise Skip("no C compiler")
    library = pathlib.Path(folder) / "rl.so"
    sources = [str(HERE / "src" / name) for name in ("parser.c", "scanner.c")]
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
                    "-Wno-unused-but-set-variable", "-I", str(HERE / "src"), *sources, "-o", str(library)], check=True)
    return library


class Parser:
    def __init__(self, folder):
        name = ctypes.util.find_library("tree-sitter")
        if not name:
            raise Skip("no libtree-sitter (Debian: libtree-sitter-dev)")
        self.ts = ts = ctypes.CDLL(name)
        ts.ts_parser_new.restype = ctypes.c_void_p
        ts.ts_parser_set_language.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        ts.ts_parser_set_language.restype = ctypes.c_bool
        ts.ts_parser_parse_string.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]
        ts.ts_parser_parse_string.restype = ctypes.c_void_p
        ts.ts_tree_root_node.argtypes = [ctypes.c_void_p]
        ts.ts_tree_root_node.restype = Node
        ts.ts_tree_delete.argtypes = [ctypes.c_void_p]
        ts.ts_node_string.argtypes = [Node]
        ts.ts_node_string.restype = ctypes.c_void_p
        ts.ts_node_has_error.argtypes = [Node]
        ts.ts_node_has_error.restype = ctypes.c_bool
        ts.ts_node_is_missing.argtypes = [Node]
        ts.ts_node_is_missing.restype = ctypes.c_bool
        ts.ts_node_type.argtypes = [Node]
        ts.ts_node_type.restype = ctypes.c_char_p
        ts.ts_node_child_count.argtypes = [Node]
        ts.ts_node_child_count.restype = ctypes.c_uint32
        ts.ts_node_child.argtypes = [Node, ctypes.c_uint32]
        ts.ts_node_child.restype = Node
        ts.ts_node_start_point.argtypes = [Node]
        ts.ts_node_start_point.restype = Point
        ts.ts_query_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32,
                                    ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32)]
        ts.ts_query_new.restype = ctypes.c_void_p
        self.grammar = ctypes.CDLL(str(build(folder)))
        self.grammar.tree_sitter_rl.restype = ctypes.c_void_p
        self.language = self.grammar.tree_sitter_rl()
        self.parser = ts.ts_parser_new()
        if not ts.ts_parser_set_language(self.parser, self.language):
            raise Skip("this libtree-sitter is too old for the grammar")

    def parse(self, text):
        """Its tree as text, and the places (line, column, what) of its errors."""
        data = text.encode()
        tree = self.ts.ts_parser_parse_string(self.parser, None, data, len(data))
        root = self.ts.ts_tree_root_node(tree)
        pointer = self.ts.ts_node_string(root)
        shown = ctypes.string_at(pointer).decode()
        errors = list(self.errors(root)) if self.ts.ts_node_has_error(root) else []
        self.ts.ts_tree_delete(tree)
        return shown, errors

    def errors(self, node):
        kind = self.ts.ts_node_type(node).decode()
        missing = self.ts.ts_node_is_missing(node)
        if kind == "ERROR" or missing:
            start = self.ts.ts_node_start_point(node)
            yield start.row + 1, start.column + 1, "missing " + kind if missing else "error"
        for i in range(self.ts.ts_node_child_count(node)):
            child = self.ts.ts_node_child(node, i)
            if self.ts.ts_node_has_error(child) or self.ts.ts_node_is_missing(child):
                yield from self.errors(child)

    def query_error(self, text):
        """Where a query is wrong, or None."""
        data = text.encode()
        offset, kind = ctypes.c_uint32(), ctypes.c_uint32()
        if self.ts.ts_query_new(self.language, data, len(data), ctypes.byref(offset), ctypes.byref(kind)):
            return None
        kinds = ["", "syntax", "node type", "field", "capture", "structure", "language"]
        return f"line {data[:offset.value].count(10) + 1}: wrong {kinds[kind.value]}"


def corpus(path):
    parts = re.split(r"^=+\n(.*)\n=+\n", path.read_text(), flags=re.M)
    for name, rest in zip(parts[1::2], parts[2::2]):
        source, expected = re.split(r"^---+\n", rest, maxsplit=1, flags=re.M)
        yield name, source.rstrip("\n"), expected


def squeezed(tree):
    """Without layout and, as the corpus is written, without the names of fields."""
    return re.sub(r"\s+\)", ")", re.sub(r"\s+", " ", re.sub(r"\w+: ", "", tree))).strip()


def stale():
    """What of the generated files is not up to date with grammar.js, where a generator is installed ($TREE_SITTER or on PATH)."""
    generator = os.environ.get("TREE_SITTER") or shutil.which("tree-sitter")
    if not generator:
        return []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE / "grammar.js", folder)
        shutil.copytree(HERE / "src", pathlib.Path(folder) / "src")
        subprocess.run([generator, "generate"], cwd=folder, check=True, capture_output=True)
        rules = [json.loads((base / "src" / "grammar.json").read_text())["rules"] for base in (HERE, pathlib.Path(folder))]
    return [] if rules[0] == rules[1] else ["src/ is older than grammar.js: run `tree-sitter generate`"]


def has_syntax_error(text):
    """Whether the program's own expectations say that it does not parse."""
    return re.search(r"^#\s*error:\s*(E00|E\?{4})", text, flags=re.M) is not None


def programs():
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "*.rl"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [ROOT / line for line in listed.stdout.splitlines()]
    return [p for p in ROOT.rglob("*.rl") if not {"build", "node_modules"} & set(p.relative_to(ROOT).parts)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="*", type=pathlib.Path, help="show these files' trees instead")
    options = arguments.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        parser = Parser(folder)
        for file in options.files:
            tree, errors = parser.parse(file.read_text())
            print(tree)
            failures += [f"{file}:{line}:{column}: {what}" for line, column, what in errors]
        counts = [0, 0, 0]
        if not options.files:
            failures += stale()
            for file in sorted((HERE / "test" / "corpus").glob("*.txt")):
                for name, source, expected in corpus(file):
                    counts[0] += 1
                    tree, _ = parser.parse(source)
                    if squeezed(tree) != squeezed(expected):
                        failures.append(f"{file.name}: {name}:\n  expected {squeezed(expected)}\n  got      {squeezed(tree)}")
            for file in sorted((HERE / "queries").glob("*.scm")):
                counts[1] += 1
                wrong = parser.query_error(file.read_text())
                if wrong:
                    failures.append(f"queries/{file.name}: {wrong}")
            for file in programs():
                text = file.read_text()
                if has_syntax_error(text):
                    continue
                counts[2] += 1
                failures += [f"{file.relative_to(ROOT)}:{line}:{column}: {what}"
                             for line, column, what in parser.parse(text)[1]]
            if 0 in counts:
                failures.append("nothing was tested")
            print(f"tree-sitter: {counts[0]} corpus tests, {counts[1]} queries, {counts[2]} programs, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skip as reason:
        print(f"skipped: tree-sitter: {reason}")
        sys.exit(SKIPPED)
