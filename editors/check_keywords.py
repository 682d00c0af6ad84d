#!/usr/bin/env python3
"""The keywords of every editor's grammar are those of grammar/RlLexer.g4; the types and functions that they know are words.json's."""

import ast
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEXER = HERE.parent / "grammar" / "RlLexer.g4"
# Tokens that stand for any name at a certain place.
NOT_WORDS = {"BLOCK", "METHOD"}
CONSTANTS = {"true", "false"}


def read(name):
    return (HERE / name).read_text()


def words_in(text):
    return set(re.findall(r"[a-z_][a-z_0-9]*", text))


def of_lexer():
    text = re.sub(r"//.*", "", LEXER.read_text())
    contextual = re.search(r"tokens\s*\{([^}]*)\}", text).group(1)
    names = {name for name in re.findall(r"\w+", contextual) if name not in NOT_WORDS}
    return {name.lower() for name in names} | set(re.findall(r"^[A-Z_]+:\s*'([a-z]+)';", text, flags=re.M))


def strings_of(rule):
    """The literal tokens of a rule of tree-sitter's grammar.json."""
    if isinstance(rule, dict):
        if rule.get("type") == "STRING":
            yield rule["value"]
        for part in rule.values():
            yield from strings_of(part)
    elif isinstance(rule, list):
        for part in rule:
            yield from strings_of(part)


def of_tree_sitter():
    grammar = json.loads(read("tree-sitter/src/grammar.json"))
    return {"keywords": {s for s in strings_of(grammar["rules"]) if re.fullmatch(r"[a-z]+", s)}}


def of_highlights():
    text = re.sub(r";.*", "", read("tree-sitter/queries/highlights.scm"))
    lists = re.findall(r"\[([^\]]*)\]\s*@keyword", text)
    any_of = dict(re.findall(r"#any-of\?\s+@(\S+)((?:\s+\"\w+\")+)", text))
    # `int` and `float` are types of parameters only, so no calls.
    return {
        "keywords": words_in(" ".join(lists)) | CONSTANTS,
        "types": words_in(any_of["type.builtin"]) - {"int", "float"},
        "functions": words_in(any_of["function.builtin"]),
    }


def alternatives(pattern):
    """The words of groups such as (use) and (?:if|then|else)."""
    return {word for group in re.findall(r"\((?:\?:)?([a-z_0-9]+(?:\|[a-z_0-9]+)*)\)", pattern) for word in group.split("|")}


def of_textmate():
    repository = json.loads(read("vscode/syntaxes/rl.tmLanguage.json"))["repository"]

    def of(section, scope=""):
        return set().union(*(alternatives(p["match"]) for p in repository[section]["patterns"] if scope in p.get("name", "")))

    return {
        "keywords": of("items") | of("keywords"),
        "types": of("types", "support.type"),
        "functions": of("functions", "support.function"),
    }


def of_vim():
    text = read("vim/syntax/rl.vim")
    keywords, known = set(), {"rlType": set(), "rlBuiltin": set()}
    for group, rest in re.findall(r"^syn keyword (\w+)\s+(.*)$", text, flags=re.M):
        if group == "rlTodo":
            continue
        known.get(group, keywords).update(words_in(rest) - {"contained"})
    for words in re.findall(r"\\zs\\%\(([a-z\\|]+)\\\)\\>", text):
        keywords.update(words.split("\\|"))
    return {"keywords": keywords, "types": known["rlType"], "functions": known["rlBuiltin"]}


def of_emacs():
    text = read("emacs/rl-mode.el")

    def of(name):
        return set(re.findall(r'"(\w+)"', re.search(rf"\(defconst rl-mode--{name}\s+'\(([^)]*)\)", text).group(1)))

    return {"keywords": of("keywords") | of("constants"), "types": of("types"), "functions": of("functions")}


def of_pygments():
    values = {}
    for node in ast.parse(read("pygments/rl_lexer.py")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            values[node.targets[0].id] = set(ast.literal_eval(node.value))
    types, functions = values.pop("TYPES"), values.pop("FUNCTIONS")
    return {"keywords": set().union(*values.values()), "types": types, "functions": functions}


def main():
    wanted = {"keywords": of_lexer(), **{kind: set(words) for kind, words in json.loads(read("words.json")).items()}}
    grammars = {
        "tree-sitter/grammar.js": of_tree_sitter(),
        "tree-sitter/queries/highlights.scm": of_highlights(),
        "vscode/syntaxes/rl.tmLanguage.json": of_textmate(),
        "vim/syntax/rl.vim": of_vim(),
        "emacs/rl-mode.el": of_emacs(),
        "pygments/rl_lexer.py": of_pygments(),
    }
    failed = False
    for name, found in grammars.items():
        for kind, words in found.items():
            for what, difference in (("lacks", wanted[kind] - words), ("has other", words - wanted[kind])):
                if difference:
                    failed = True
                    print(f"{name} {what} {kind}: {' '.join(sorted(difference))}")
    if len(wanted["keywords"]) < 20:
        failed = True
        print(f"only these keywords were found in {LEXER.name}: {' '.join(sorted(wanted['keywords']))}")
    print(f"keywords: {len(wanted['keywords'])} words, {len(grammars)} grammars{', differences' if failed else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
