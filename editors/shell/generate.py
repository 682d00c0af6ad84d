#!/usr/bin/env python3
"""Makes the completions of bash, zsh and fish and the man page from what `rlc --help` says.

    generate.py RLC            writes them
    generate.py RLC --check    says which are not up to date; exit status 1 if any
"""

import argparse
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
MAN = HERE.parent.parent / "docs" / "rlc.1"


@dataclass
class Option:
    names: list
    value: str  # NAME=VALUE, FILE.toml; empty: a flag
    text: str

    @property
    def choices(self):
        """interp, cpu, gpu or auto"""
        if not self.value:
            return []
        listed = re.match(r"((?:[\w-]+, )+[\w-]+ or [\w-]+)(?: \(|$)", self.text)
        return re.split(r", | or ", listed.group(1)) if listed else []


@dataclass
class Command:
    name: str
    text: str
    usage: str = ""
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    footer: str = ""

    @property
    def stages(self):
        """Words that may stand before the program: `stages: graph passes ...`"""
        listed = re.search(r"^stages: (.*)$", self.footer, flags=re.M)
        return listed.group(1).split() if listed else []


def say(program, *arguments):
    result = subprocess.run([program, *arguments, "--help"], capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)} --help failed:\n{result.stderr}")
    return result.stdout


def entries(section):
    """The (left, right) columns of a section of the help; a line further in goes on with the right column."""
    found = []
    for line in section:
        start = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
        if start and not line.startswith("     "):
            found.append([start.group(1), start.group(2) or ""])
        elif line.strip() and found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return found


def parse(name, text, help_text):
    lines = help_text.splitlines()
    command = Command(name, text)
    sections, current = {}, None
    rest = []
    for line in lines:
        if rest or re.match(r"(?i)examples:$", line):
            rest.append(line)
        elif re.match(r"[\w ]+:$", line):
            current = sections.setdefault(line[:-1].lower(), [])
        elif line.startswith("Usage:"):
            command.usage = line.removeprefix("Usage:").strip()
        elif current is not None and (line.startswith(" ") or not line.strip()):
            current.append(line)
    command.footer = "\n".join(rest)
    command.positionals = [(left.split()[0], right) for left, right in entries(sections.get("positionals", []))]
    for left, right in entries(sections.get("options", [])):
        names, _, value = left.partition(" ")
        names = re.sub(r"\{[^}]*\}", "", names).replace("!", "").split(",")
        command.options.append(Option(names, value.removesuffix("...").replace("REQUIRED", "").strip(), right))
    return command, entries(sections.get("subcommands", []))


def model(program):
    main, commands = parse("rlc", "", say(program))
    main.text = say(program).splitlines()[0]
    return main, [parse(name, text, say(program, name))[0] for name, text in commands]


def takes(command):
    """What stands after the options: programs, program (and settings), or nothing."""
    names = [name for name, _ in command.positionals]
    return "program" if "SETTINGS" in names else "programs" if names else ""


HEADER = "# Made by editors/shell/generate.py from `rlc --help`."
# The names of the params of the first program on the command line.
PARAMS = r"sed -n 's/^[[:space:]]*param[[:space:]]\{1,\}\([^[:space:]:=]*\).*/\1=/p'"
CODES = r"rlc explain E0 2>&1 | sed -n 's/^  \(E[0-9]\{4\}\) .*/\1/p'"


def bash(main, commands):
    valued = sorted({n for c in [main, *commands] for o in c.options if o.value for n in o.names})
    lines = [HEADER, "_rlc() {",
             '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= program= i',
             '  COMPREPLY=()',
             '  for ((i = 1; i < COMP_CWORD; ++i)); do',
             '    case ${COMP_WORDS[i]} in',
             f"      {'|'.join(valued)}) ((++i)) ;;",
             '      -*) ;;',
             '      *.rl) program=${program:-${COMP_WORDS[i]}} ;;',
             '      *) command=${command:-${COMP_WORDS[i]}} ;;',
             '    esac',
             '  done',
             '  case $before in']
    done = set()
    for command in commands:
        for option in command.options:
            pattern = "|".join(option.names)
            if not option.value or pattern in done:
                continue
            done.add(pattern)
            if option.choices:
                lines.append(f"    {pattern}) COMPREPLY=($(compgen -W '{' '.join(option.choices)}' -- \"$word\")); return ;;")
            elif option.value == "FOLDER":
                lines.append(f"    {pattern}) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\")); return ;;")
            elif option.value.startswith("FILE"):
                suffix = option.value.removeprefix("FILE")
                lines.append(f"    {pattern}) compopt -o filenames; COMPREPLY=($(compgen -f -X '!*{suffix}' -- \"$word\") $(compgen -d -- \"$word\")); return ;;")
            else:
                lines.append(f"    {pattern}) return ;;")
    lines += ["  esac", "  local options= takes=", "  case $command in"]
    lines.append(f"    '') COMPREPLY=($(compgen -W '{' '.join([c.name for c in commands] + [n for o in main.options for n in o.names])}' -- \"$word\")); return ;;")
    for command in commands:
        options = " ".join(n for o in command.options for n in o.names)
        lines.append(f"    {command.name}) options='{options}' takes={takes(command)} ;;")
    lines += ["  esac",
              "  if [[ $word == -* ]]; then",
              '    COMPREPLY=($(compgen -W "$options" -- "$word"))',
              "    return",
              "  fi",
              "  if [[ $takes == program && -n $program && -r $program ]]; then",
              "    compopt -o nospace",
              f'    COMPREPLY=($(compgen -W "$({PARAMS} "$program" 2>/dev/null)" -- "$word"))',
              "    return",
              "  fi",
              "  compopt -o filenames",
              "  COMPREPLY=($(compgen -f -X '!*.rl' -- \"$word\") $(compgen -d -- \"$word\"))",
              *[f"  [[ $command == {c.name} ]] && COMPREPLY+=($(compgen -W '{' '.join(c.stages)}' -- \"$word\"))" for c in commands if c.stages],
              "  if [[ $command == explain && $word == E* ]]; then",
              f'    COMPREPLY+=($(compgen -W "$({CODES})" -- "$word"))',
              "  fi",
              "}", "complete -F _rlc rlc", ""]
    return "\n".join(lines)


def zsh_text(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_option(option):
    if option.choices:
        action = f":{option.value}:({' '.join(option.choices)})"
    elif option.value == "FOLDER":
        action = ":FOLDER:_files -/"
    elif option.value.startswith("FILE"):
        action = f":FILE:_files -g \"*{option.value.removeprefix('FILE')}\""
    else:
        action = f":{option.value.replace(':', ' ')}: " if option.value else ""
    repeated = "*" if "may be repeated" in option.text else ""
    return [f"'{repeated}{name}[{zsh_text(option.text)}]{action}'" for name in option.names]


def zsh(main, commands):
    lines = ["#compdef rlc", HEADER, "",
             "_rlc_params() {",
             "  local program=${words[(r)*.rl]}",
             "  [[ -r $program ]] || return 1",
             f"  compadd -S '' -- $({PARAMS} $program)",
             "}", "",
             "_rlc_codes() {",
             f"  [[ $PREFIX == E* ]] && compadd -- $({CODES})",
             "}", "",
             "_rlc_explain() {",
             "  _rlc_params && return",
             *[f"  compadd -- {' '.join(c.stages)}" for c in commands if c.stages],
             "  _rlc_codes",
             "  _files -g '*.rl'",
             "}", "",
             "_rlc() {",
             "  local context state state_descr line",
             "  typeset -A opt_args",
             "  _arguments -C " + " ".join(s for o in main.options for s in zsh_option(o)) + " '1:command:->command' '*::argument:->argument'",
             "  case $state in",
             "    command)",
             "      local -a commands=("]
    lines += [f"        '{c.name}:{zsh_text(c.text)}'" for c in commands]
    lines += ["      )", "      _describe command commands ;;", "    argument)", "      case $line[1] in"]
    for command in commands:
        arguments = [s for o in command.options for s in zsh_option(o)]
        names = [name for name, _ in command.positionals]
        if "EXPRESSION" in names:
            arguments.append("'1:EXPRESSION: '")
        if takes(command) == "program":
            place = 2 if "EXPRESSION" in names else 1
            if command.name == "explain":
                arguments.append("'*:argument:_rlc_explain'")
            else:
                arguments += [f"'{place}:program:_files -g \"*.rl\"'", "'*:setting:_rlc_params'"]
        elif takes(command) == "programs":
            arguments.append("'*:program:_files -g \"*.rl\"'")
        joined = " \\\n            ".join(arguments)
        lines.append(f"        {command.name})\n          _arguments \\\n            {joined} ;;")
    lines += ["      esac ;;", "  esac", "}", "", '_rlc "$@"', ""]
    return "\n".join(lines)


def fish_text(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def fish_option(option):
    parts = []
    for name in option.names:
        parts.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    line = " ".join(parts)
    if option.choices:
        line += f" -x -a '{' '.join(option.choices)}'"
    elif option.value == "FOLDER":
        line += " -x -a '(__fish_complete_directories)'"
    elif option.value.startswith("FILE"):
        line += f" -x -a '(__fish_complete_suffix {option.value.removeprefix('FILE')})'"
    elif option.value:
        line += " -x"
    return f"{line} -d '{fish_text(option.text)}'"


def fish(main, commands):
    names = " ".join(c.name for c in commands)
    lines = [HEADER, "complete -c rlc -f",
             "",
             "function __rlc_params",
             "  set -l program (string match -- '*.rl' (commandline -opc))[1]",
             "  test -r \"$program\"; and " + PARAMS + ' "$program"',
             "end", "",
             "function __rlc_has_program",
             "  string match -q -- '*.rl' (commandline -opc)",
             "end", ""]
    lines += [f"complete -c rlc -n 'not __fish_seen_subcommand_from {names}' {fish_option(o)}" for o in main.options]
    for command in commands:
        seen = f"__fish_seen_subcommand_from {command.name}"
        lines += ["", f"complete -c rlc -n 'not __fish_seen_subcommand_from {names}' -a {command.name} -d '{fish_text(command.text)}'"]
        lines += [f"complete -c rlc -n '{seen}' {fish_option(o)}" for o in command.options]
        if takes(command) == "program":
            lines.append(f"complete -c rlc -n '{seen}; and not __rlc_has_program' -k -a '(__fish_complete_suffix .rl)'")
            lines.append(f"complete -c rlc -n '{seen}; and __rlc_has_program' -a '(__rlc_params)'")
            if command.stages:
                lines.append(f"complete -c rlc -n '{seen}; and not __rlc_has_program' -a '{' '.join(command.stages)}'")
        elif takes(command) == "programs":
            lines.append(f"complete -c rlc -n '{seen}' -k -a '(__fish_complete_suffix .rl)'")
        if command.name == "explain":
            fish_codes = CODES.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c rlc -n '{seen}; and not __rlc_has_program; and string match -q \"E*\" (commandline -ct)' -a '({fish_codes})'")
    return "\n".join(lines) + "\n"


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def sentence(text):
    first = text.split(" ", 1)[0]
    begun = text if first.endswith(",") else text[:1].upper() + text[1:]
    return roff(begun if begun.endswith(".") else begun + ".")


def man_options(options):
    lines = []
    for option in options:
        names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
        value = f" \\fI{roff(option.value)}\\fR" if option.value else ""
        lines += [".TP", names + value, sentence(option.text)]
    return lines


def man_examples(footer):
    body = [line[2:] if line.startswith("  ") else line for line in footer.splitlines()[1:]]
    code = []
    for line in body:
        if not line.strip():
            break
        code.append(line)
    return [".PP", ".nf", ".RS 4", *[roff(line) for line in code], ".RE", ".fi"] if code else []


def man(main, commands, version):
    lines = ['.\\" Made by editors/shell/generate.py from `rlc --help`.',
             f'.TH RLC 1 "" "{version}" "User Commands"',
             ".SH NAME", "rlc \\- compile and run recurrence equations for deep reinforcement learning",
             ".SH SYNOPSIS", ".B rlc", "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]"]
    for command in commands:
        lines += [".br", f"\\fB{roff(' '.join(command.usage.split()[:2]))}\\fR {roff(' '.join(command.usage.split()[2:]))}"]
    lines += [".SH DESCRIPTION", roff(main.text),
              "Every quantity of a program is a tensor that also varies over named indices, and a program is a set of equations",
              "between them; the compiler decides what becomes a loop, a SIMD lane, a thread, a ring buffer.",
              ".SH OPTIONS", *man_options(main.options), ".SH COMMANDS"]
    for command in commands:
        lines += [f".SS rlc {roff(command.name)}", sentence(command.text)]
        for name, text in command.positionals:
            lines += [".TP", f"\\fI{roff(name)}\\fR", sentence(text)]
        lines += man_options([o for o in command.options if "--help" not in o.names])
        lines += man_examples(command.footer)
    lines += [".SH EXIT STATUS",
              ".TP", ".B 0", "Success.", ".TP", ".B 1", "The program is wrong; the diagnostics are on standard error.",
              ".TP", ".B 2", "The command line is wrong.", ".TP", ".B 3", "The program failed while it ran, at the index point that is named.",
              ".TP", ".B 130", "Interrupted.",
              ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "If set, nothing is coloured.",
              ".SH EXAMPLES", *man_examples(main.footer)]
    return "\n".join(lines) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("rlc", help="the program")
    arguments.add_argument("--check", action="store_true", help="change nothing")
    options = arguments.parse_args()
    top, commands = model(options.rlc)
    version = subprocess.run([options.rlc, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    files = {
        HERE / "rlc.bash": bash(top, commands),
        HERE / "_rlc": zsh(top, commands),
        HERE / "rlc.fish": fish(top, commands),
        MAN: man(top, commands, version),
    }
    stale = []
    for path, text in files.items():
        if options.check:
            if not path.exists() or path.read_text() != text:
                stale.append(path.name)
        else:
            path.write_text(text)
    if stale:
        print(f"older than {options.rlc}: {', '.join(stale)}; run editors/shell/generate.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
