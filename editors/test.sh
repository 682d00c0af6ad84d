#!/usr/bin/env bash
# Tests of everything in editors/: ./test.sh [PART]...  A part whose tools are missing is skipped, and says so.
# $RLC names the program, for the tests of its language server and of the completions.
# The last line is `N passed, N failed, N skipped`; the exit status is 1 if any failed, 77 if all were skipped.
set -uo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd "$here" || exit 1

parts=(keywords tree-sitter vim neovim emacs pygments sublime shell vscode docs)
passed=0 failed=0 skipped=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

skip() { echo "skipped: $*"; return 77; }
has_server() { [[ -n ${RLC:-} ]] && "$RLC" lsp --help >/dev/null 2>&1; }
has() { command -v "$1" >/dev/null; }

test_keywords() { python3 check_keywords.py; }

test_tree-sitter() { python3 tree-sitter/check.py; }

# test_vim_with PROGRAM
test_vim_with() {
  rm -f "$scratch/vim"
  (cd vim && RL_TEST_OUT=$scratch/vim timeout 60 "$1" -u NONE -N -es -S test.vim </dev/null >/dev/null 2>&1)
  [[ -f $scratch/vim ]] || { echo "$1 did not finish the test"; return 1; }
  [[ ! -s $scratch/vim ]] || { cat "$scratch/vim"; return 1; }
}

test_vim() {
  has vim || { skip "vim: not installed"; return; }
  vim --version | grep -q '+syntax' || { skip "vim: built without syntax highlighting"; return; }
  test_vim_with vim
}

test_neovim() {
  has nvim || { skip "neovim: not installed"; return; }
  test_vim_with nvim || return
  has cc || { skip "neovim: no C compiler for the tree-sitter part"; return; }
  (cd vim && XDG_DATA_HOME=$scratch/nvim timeout 60 nvim -u NONE --headless -c 'luafile test.lua' </dev/null) || return
  has_server || { echo "neovim: without a language server (\$RLC)"; return 0; }
  (cd vim && XDG_DATA_HOME=$scratch/nvim XDG_STATE_HOME=$scratch/nvim timeout 90 nvim -u NONE --headless -c 'luafile test_server.lua' </dev/null)
}

test_emacs() {
  has emacs || { skip "emacs: not installed"; return; }
  emacs -Q --batch -l emacs/test.el
}

test_pygments() {
  local python=python3
  "$python" -c 'import pygments' 2>/dev/null || python=/usr/bin/python3
  "$python" pygments/test_rl_lexer.py
}

test_sublime() {
  python3 sublime/generate.py --check || return
  local bat
  bat=$(command -v bat || command -v batcat) || { skip "sublime: bat is not installed to try the syntax with"; return; }
  mkdir -p "$scratch/bat/syntaxes"
  cp sublime/rl.sublime-syntax "$scratch/bat/syntaxes"
  "$bat" cache --build --source "$scratch/bat" --target "$scratch/bat-cache" >"$scratch/bat.log" 2>&1 || { cat "$scratch/bat.log"; return 1; }
  printf 'param x = 1\nloss = x\n' |
    BAT_CACHE_PATH=$scratch/bat-cache "$bat" --language rl --color always --plain --theme ansi >"$scratch/bat.out" 2>&1 ||
    { cat "$scratch/bat.out"; return 1; }
  # `param` has a colour, the name `loss` does not have that of a keyword.
  local keyword=$'\e[35m'
  grep -qF "${keyword}param" "$scratch/bat.out" && ! grep -qF "${keyword}loss" "$scratch/bat.out" || { cat -v "$scratch/bat.out"; return 1; }
}

# shell/test.SHELL tries what Tab offers. Files older than $RLC are named; they are made anew for a release, so that is no failure.
test_shell() {
  local tried=0 shell
  [[ -z ${RLC:-} ]] || python3 shell/generate.py "$RLC" --check
  for shell in bash zsh fish; do
    has "$shell" || { echo "not installed: $shell"; continue; }
    (cd shell && "./test.$shell") || { echo "wrong completions: $shell"; return 1; }
    tried=1
  done
  ((tried)) || { skip "shell: no shell to try the completions with"; return; }
}

test_vscode() {
  has npm || { skip "vscode: node and npm are not installed"; return; }
  cd vscode || return
  if grep -q '"resolved"' package-lock.json; then echo "package-lock.json names hosts"; return 1; fi
  if [[ package-lock.json -nt node_modules/.package-lock.json ]] && ! npm ci >"$scratch/npm.log" 2>&1; then
    grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET' "$scratch/npm.log" && { skip "vscode: npm reaches no registry"; return; }
    tail -20 "$scratch/npm.log"
    return 1
  fi
  npm run --silent check && npm test --silent || return
  rm -f rl-language.vsix
  npm run --silent package:built >"$scratch/package.log" 2>&1 || { cat "$scratch/package.log"; return 1; }
  python3 - rl-language.vsix <<'PY'
import json, sys, zipfile
names = set(zipfile.ZipFile(sys.argv[1]).namelist())
package = json.loads(zipfile.ZipFile(sys.argv[1]).read("extension/package.json"))
contributes = package["contributes"]
used = [package["main"]] + [x["path"] for x in contributes["grammars"] + contributes["snippets"]]
used += [x["configuration"] for x in contributes["languages"]]
missing = [path for path in used if "extension/" + path.removeprefix("./") not in names]
if missing:
    sys.exit(f"not in the package: {missing}")
print(f"vscode: packaged, {len(names)} files")
PY
}

# What docs/editors.md says to do.
test_docs() { python3 docs_test.py; }

for part in "${@:-${parts[@]}}"; do
  if ! declare -F "test_$part" >/dev/null; then
    echo "test.sh: there is no part $part; the parts are: ${parts[*]}" >&2
    exit 2
  fi
  echo "== $part"
  ("test_$part")
  case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)); echo "FAILED: $part" ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0)) || exit 1
((passed > 0)) || exit 77
