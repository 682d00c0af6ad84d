#!/usr/bin/env python3
"""Does what docs/editors.md says, block by block: $RLC names the program. What needs a tool that is not there is named.

Every fenced block must be one that is known here, so that a new one gets its test.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib

EDITORS = pathlib.Path(__file__).resolve().parent
ROOT = EDITORS.parent
PAGE = ROOT / "docs" / "editors.md"
EXAMPLE = ROOT / "examples" / "reinforce_cartpole.rl"


def blocks():
    return re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def run(command, folder, **environment):
    path = f"{folder}/bin:{os.environ['PATH']}"
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path, "HOME": str(folder), **environment}, timeout=120,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout + done.stderr


def vs_code(text, folder):
    package = json.loads((EDITORS / "vscode" / "package.json").read_text())
    for script in re.findall(r"npm run ([\w:]+)", text):
        assert script in package["scripts"], script
    assert f"{package['name']}.vsix" in text, "the package has another name"
    page = PAGE.read_text(encoding="utf-8")
    settings = package["contributes"]["configuration"]["properties"]
    assert set(re.findall(r"^\| `(rl\.[\w.]+)` \|", page, re.M)) == set(settings), "the settings are others"
    titles = {f"{c.get('category', 'rl')}: {c['title']}" for c in package["contributes"]["commands"]}
    for title in re.findall(r"\*\*(rl: [\w ]+)\*\*", page):
        assert title in titles, f"{title} is none of {titles}"
    snippets = json.loads((EDITORS / "vscode" / package["contributes"]["snippets"][0]["path"]).read_text())
    listed = re.search(r"^Snippets: `([^`]*)`", page, re.M).group(1).split()
    known = {snippet["prefix"] for snippet in snippets.values()}
    assert set(listed) == known, f"snippets: {set(listed) ^ known}"


def neovim(text, folder):
    init = folder / "init.lua"
    init.write_text(text.replace("/path/to/editors", str(EDITORS)), encoding="utf-8")
    check = ("lua vim.wait(20000, function() return #vim.lsp.get_active_clients() > 0 end, 20); "
             "vim.cmd(#vim.lsp.get_active_clients() > 0 and vim.bo.filetype == 'rl' and 'qall!' or 'cquit 1')")
    run(["nvim", "--headless", "-u", str(init), str(EXAMPLE), "-c", check], folder, XDG_STATE_HOME=str(folder))


def emacs(text, folder):
    (folder / "init.el").write_text(text.replace("/path/to/editors", str(EDITORS)), encoding="utf-8")
    if shutil.which("emacs") is None:
        return "emacs is not installed"
    run(["emacs", "-Q", "--batch", "-l", "init.el", "--eval", "(unless (memq 'eglot-ensure rl-mode-hook) (kill-emacs 1))"], folder)
    return None


def shell(text, folder):
    if "bat cache" in text:
        if shutil.which("batcat") is None and shutil.which("bat") is None:
            return "bat is not installed"
        script = text.replace("editors/sublime", f"{shlex.quote(str(EDITORS))}/sublime")
        run(["bash", "-euc", script], folder)
        assert "rl" in run(["bat", "--list-languages"], folder)
    elif "pygmentize" in text:
        command = text.replace("editors/pygments", f"{shlex.quote(str(EDITORS))}/pygments").replace("program.rl", shlex.quote(str(EXAMPLE)))
        if shutil.which("pygmentize") is None:
            return "pygments is not installed"
        assert "\x1b[" in run(["bash", "-euc", command.strip() + " -f terminal256"], folder)
    else:
        vs_code(text, folder)
    return None


def helix(text, folder):
    config = tomllib.loads(text.replace("/path/to/editors", str(EDITORS)))
    assert config["language"][0]["file-types"] == ["rl"]
    assert (pathlib.Path(config["grammar"][0]["source"]["path"]) / "grammar.js").exists()
    assert config["language-server"]["rlc"]["args"] == ["lsp"]


KINDS = {"sh": shell, "lua": neovim, "elisp": emacs, "toml": helix}


def main():
    program = os.environ.get("RLC")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        if program:
            (folder / "bin" / "rlc").symlink_to(os.path.abspath(program))
        if shutil.which("bat") is None and shutil.which("batcat"):
            (folder / "bin" / "bat").symlink_to(shutil.which("batcat"))
        for kind, text in blocks():
            if kind == "lua" and (not program or shutil.which("nvim") is None):
                print("not tried: lua, without nvim or $RLC")
                continue
            try:
                reason = KINDS[kind](text, folder)
                if reason:
                    print(f"not tried: {kind}, {reason}")
            except Exception as error:  # the other blocks are tried all the same
                failed += 1
                print(f"FAILED {kind}: {type(error).__name__}: {error}\n{text}")
    print(f"docs/editors.md: {len(blocks())} blocks, {failed} failed")
    return 1 if failed or not blocks() else 0


if __name__ == "__main__":
    sys.exit(main())
