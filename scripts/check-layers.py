#!/usr/bin/env python3
"""Checks that includes point one way: a folder uses only folders above it in CMakeLists.txt's list, and LLVM, ANTLR,
isl and CUDA are each reached from one folder alone, directly or through another header."""

import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)

# library: its one folder and the includes it is known by
LIBRARIES = {
    "LLVM": ("jit/cpu", r"llvm(-c)?/"),
    "ANTLR": ("compiler/syntax", r"(antlr4-|.*/)?(antlr4-runtime|Rl(Lexer|Parser)\w*)\.h$"),
    "isl": ("compiler/polyhedral", r"isl/"),
    "CUDA": ("jit/gpu", r"(cuda\w*|nvrtc|cublas\w*|cuda/.*)\.?h?$"),
}
CUDA_NAME = re.compile(r"\b(nvrtc[A-Z]\w+|cu(Init|Launch|Mem|Module|Ctx|Stream|Device|Event|Graph)[A-Z]\w*)\b")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"', re.DOTALL)


def folders():
    text = (ROOT / "CMakeLists.txt").read_text()
    match = re.search(r"foreach\(folder\s+([^)]*)\)", text)
    if not match:
        sys.exit("check-layers: CMakeLists.txt has no 'foreach(folder ...)' list")
    return match[1].split()


def folder_of(path, order):
    return next((folder for folder in order if path.startswith(folder + "/")), None)


@cache
def source(path):
    return (ROOT / path).read_text(errors="replace")


@cache
def includes(path):
    """(line, name, path in the repository or None) of each include of a file."""
    found = []
    for match in INCLUDE.finditer(source(path)):
        name = match[2]
        near = (Path(path).parent / name).as_posix()
        inside = next((p for p in (name, near) if (ROOT / p).is_file()), None)
        found.append((source(path).count("\n", 0, match.start()) + 1, name, inside))
    return found


def reached(path, pattern):
    """The chain of files by which a library's header is included, or None."""
    seen, pending = {path}, [[path]]
    while pending:
        chain = pending.pop()
        for _, name, inside in includes(chain[-1]):
            if inside is None and re.match(pattern, name):
                return chain + [name]
            if inside and inside not in seen:
                seen.add(inside)
                pending.append(chain + [inside])
    return None


def check(path, order):
    folder = folder_of(path, order)
    for line, name, inside in includes(path):
        if ".." in Path(name).parts:
            yield f"{path}:{line}: include by a path from the repository's root, not '{name}'"
        other = folder_of(inside, order) if inside else None
        if other and order.index(other) > order.index(folder):
            yield f"{path}:{line}: {folder} includes {name}, but {other} stands below it in CMakeLists.txt"
    for library, (home, pattern) in LIBRARIES.items():
        chain = reached(path, pattern) if folder != home else None
        if chain:
            yield f"{path}: includes {library}, which is for {home} alone: {' > '.join(chain)}"
    if folder != LIBRARIES["CUDA"][0]:
        used = CUDA_NAME.search(COMMENT_OR_STRING.sub("", source(path)))
        if used:
            yield f"{path}: uses {used[0]}, which is for {LIBRARIES['CUDA'][0]} alone"


def main():
    order = folders()
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in order
        for suffix in ("*.h", "*.cpp")
        for path in sorted((ROOT / folder).rglob(suffix))
    ]
    if not files:
        sys.exit("check-layers: no source file found")
    problems = [problem for path in files for problem in check(path, order)]
    print("\n".join(problems + [f"{len(files)} files, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
