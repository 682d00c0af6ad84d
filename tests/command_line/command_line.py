#!/usr/bin/env python3
"""The command line of rlc, line by line: what goes where, exit statuses, the terminal, Ctrl-C.

    command_line.py --rlc build/release/rlc [--filter NAME]

Each function `test_...` is a test; it gets a scratch folder and fails by an assertion.
"""

import errno
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.command import DECAY, run, says, write
from support.functions import Skipped, run_functions

# Long enough to be stopped; each iteration is cheap.
LONG = ("param iterations = 2000000000\nindex i in 0..iterations\nx[0] = 0.0\nx[i+1] = 0.999 * x + 1.0\nsave x as \"state\" each 1000 i\n"
        "report \"level\" = x each 100000 i\n")
RLC = ""
EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


# ---- params ----------------------------------------------------------------------------------


def test_assignments_after_the_file(folder):
    done = says(run("run", write(folder, "a.rl", DECAY), "n=1", "rate=0.25"), 0)
    assert done.stdout == "x[t=0] = 1.0\nx[t=1] = 0.25\n", done.stdout
    assert done.stderr == "", done.stderr


def test_set_config_and_which_of_them_wins(folder):
    program = write(folder, "a.rl", DECAY)
    config = write(folder, "c.toml", "n = 1\nrate = 0.25\n")
    assert run("run", program, "--config", config).stdout == "x[t=0] = 1.0\nx[t=1] = 0.25\n"
    assert run("run", program, "--config", config, "--set", "rate=0.125").stdout == "x[t=0] = 1.0\nx[t=1] = 0.125\n"
    assert run("run", program, "--config", config, "--set", "rate=0.125", "rate=2").stdout == "x[t=0] = 1.0\nx[t=1] = 2.0\n"


def test_wrong_settings_end_with_status_2_and_name_the_param(folder):
    program = write(folder, "a.rl", DECAY)
    says(run("run", program, "--set", "m=3"), 2, "`m`")
    says(run("run", program, "rte=3"), 2, "`rte`", "did you mean `rate`")
    says(run("run", program, "n=1.5"), 2, "`n = 1.5`", "i32")
    says(run("run", program, "n=many"), 2, "`n = many`")
    says(run("run", program, "n"), 2, "name=value")
    says(run("run", program, "=3"), 2, "no name")
    says(run("run", program, "n="), 2, "no value")
    says(run("run", program, "--config", write(folder, "c.toml", "m = 3\n")), 2, "`m`")
    says(run("run", program, "--config", write(folder, "d.toml", "[[[\n")), 2)
    says(run("run", program, "--config", str(Path(folder) / "none.toml")), 2, "none.toml", "No such file")


def test_a_size_below_1_ends_with_status_2(folder):
    shapes = ("x ~ Normal(zeros(width), 1.0)\n", "x = ones(2 * width)\n", "fn f(x: f32[width]) -> f32[width] = x\nx = f(ones(width))\n",
              "use std.nn.Dense\nnet = Dense(2, width)\nw ~ net.init()\nx = net(w, [1.0, 2.0])\n")
    for shape in shapes:
        program = write(folder, "shaped.rl", "param width = 3\n" + shape + "print sum(x)\n")
        says(run("check", program), 0)
        for size in ("0", "-1"):
            done = says(run("run", program, f"width={size}"), 2, f"`width = {size}`", "a size is at least 1")
            assert done.stdout == "", done.stdout


def test_a_setting_that_empties_an_index_ends_with_status_2(folder):
    program = write(folder, "b.rl", "param n = 3\nindex b in 0..n\nx[b] = 1.0\nprint mean(x for b)\n")
    for size in ("0", "-1"):
        done = says(run("run", program, f"n={size}"), 2, f"`n = {size}`", "without a point")
        assert done.stdout == "" and "E0313" not in done.stderr, done.stderr


def test_seeds_and_threads_out_of_range(folder):
    program = write(folder, "a.rl", DECAY)
    for seed in ("-1", "18446744073709551616", "x", ""):
        says(run("run", program, "--seed", seed), 2, "--seed", "18446744073709551615")
    says(run("run", program, "--seed", "18446744073709551615"), 0)
    for threads in ("0", "-2", "1025", "x"):
        says(run("run", program, "--threads", threads), 2, "--threads", "1024")
    says(run("run", program, "--device", "abacus"), 2, "abacus", "interp, cpu, gpu or auto")


# ---- profile ---------------------------------------------------------------------------------

SUMS = ("index i in 0..20\nindex b in 0..512\nw[0] = 1.0\nz[i, b] ~ Normal(0.0, 1.0)\nloss[i] = mean(sin(w * z) for b)\n"
        "w[i+1] = w - 0.1 * grad(loss, w)\nreport \"w\" = w[20]\n")


def test_profile_tells_regions_with_lines_and_rates(folder):
    done = says(run("profile", write(folder, "sums.rl", SUMS), "--json", "--threads", "1"), 0)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows[-1]["region"] == "between them", rows
    regions = rows[:-1]
    assert regions and all(row["seconds"] > 0 for row in regions), rows
    assert any("sums.rl:" in row["lines"] and row["flops"] > 0 for row in regions), rows
    total = sum(row["seconds"] for row in rows)
    assert abs(total * 1e3 - float(rows[0]["table"].split(": ")[-1].split()[0])) < 0.2 + 0.01 * total * 1e3, rows


def test_profile_of_a_fault_and_of_another_device(folder):
    says(run("profile", write(folder, "f.rl", "param d = 0\nindex t in 0..3\nx[t] = 7 // (d * t)\nprint x\n")), 3, "f.rl:3")
    says(run("profile", write(folder, "a.rl", DECAY), "--device", "interp"), 2, "rlc profile measures compiled programs")
    says(run("profile", write(folder, "b.rl", DECAY), "--device", "gpu", "--perf"), 2, "--perf names functions of the processor")
    says(run("profile", EXAMPLES / "reinforce_cartpole.rl", "--memory-limit", "10K"), 2, "the program does not fit into 10.0 kB of memory")


def test_profile_writes_names_for_perf(folder):
    done = says(run("profile", write(folder, "sums.rl", SUMS), "--perf"), 0, "/tmp/perf-")
    path = Path(done.stderr.split(" in ")[-1].strip())
    try:
        assert "rlc_main" in path.read_text(encoding="utf-8")
    finally:
        path.unlink()


# ---- populations -----------------------------------------------------------------------------


def test_seeds_are_what_an_index_written_by_hand_is(folder):
    by_hand = ("param n = 3\nindex seed in 2..5\nindex t in 0..n\nx[seed, t] ~ Normal(0.0, 1.0)\ny[seed, 0] = 0.0\ny[seed, t+1] = 0.5 * y + x\n"
               "print y\nprint \"total\", sum(x for t)\nz = 2.0\nprint z\n")
    without = by_hand.replace("index seed in 2..5\n", "").replace("seed, ", "")
    for device in ("interp", "cpu"):
        expected = says(run("run", write(folder, "hand.rl", by_hand), "--device", device), 0).stdout
        assert "y[seed=4, t=3]" in expected and "total[seed=2]" in expected and "\nz = 2.0" in expected, expected
        program = write(folder, "without.rl", without)
        for seeds in ("2..5", "2..=4"):
            assert run("run", program, "--seeds", seeds, "--device", device).stdout == expected
    for seeds in ("3", "5..5", "a..b", "0..", "..4", "0..99999999999"):
        says(run("run", program, "--seeds", seeds), 2, "--seeds")
    members = says(run("run", write(folder, "hand.rl", by_hand), "--seeds", "0..2"), 0).stdout
    assert "total[population=0, seed=2]" in members and "total[population=1, seed=4]" in members, members
    both = by_hand + "index population in 0..2\nu[population] = 1.0\nprint u\n"
    says(run("run", write(folder, "both.rl", both), "--seeds", "0..2"), 2, "rename one")
    says(run("run", write(folder, "a.rl", DECAY), "--seeds", "0..2"), 2, "draws nothing")


# ---- streams and statuses --------------------------------------------------------------------


def test_results_on_stdout_diagnostics_on_stderr(folder):
    done = says(run("run", write(folder, "wrong.rl", "x = y\nz = w\n")), 1, "wrong.rl:1:5: error[E", "wrong.rl:2:5: error[E", "x = y")
    assert done.stdout == "", done.stdout


def test_a_fault_ends_with_status_3_after_what_came_before(folder):
    program = "index t in 0..3\nreport \"t\" = t\nd[t] = 1 - t\nreport \"q\" = 6 // d\n"
    says(run("run", write(folder, "fault.rl", program)), 3, "fault.rl:4", "t = 1")


def test_a_subscript_outside_of_a_domain_is_told_the_domain(folder):
    program = "index t in 0..10\nx[t] = 1.0 * t\nk[t] = t * t\ny[t] = x[k[t]]\nprint y\n"
    for device in ("cpu", "interp"):
        says(run("run", write(folder, "gather.rl", program), "--device", device), 3, "gather.rl:4",
             "`x[k[t]]`: a subscript of `x` is outside of its domain { [t] : 0 <= t < 10 } in `y`", "t = 4, k[t] = 16", "`clip(j, lo, hi)`")


def test_check_tells_each_line_tensor_and_point_as_the_interpreter_does(folder):
    # y is the same for all b: without --check that index is left out.
    program = ("param far = 12.5\nindex t in 0..8\nindex b in 0..5\ntab = [1.0, 2.0, 3.0]\nu[t] = if t == 6 then far else 1.5\n"
               "near[t] = tab[i32(0.2 * u[t])]\ny[b, t] = tab[i32(u[t])]\nreport \"mean\" = mean(y[b, t] * near[3] for b, t)\n")
    path = write(folder, "check.rl", program)
    said = {run("run", path, "--check", "--device", device, "--threads", threads).stderr for device in ("cpu", "interp") for threads in ("1", "3")}
    assert len(said) == 1, said
    says(run("run", path, "--check"), 3, "check.rl:7:1: error[E0704]: a subscript of `tab` is outside of its shape in `y`\n", "\n  at b = 0, t = 6, the subscript = 12\n")
    says(run("run", path, "--check", "far=2.0"), 0)
    assert "--check " in run("run", "--help").stdout


def test_a_gradient_that_is_0_says_what_cuts_the_loss_not_the_update_that_it_is_for(folder):
    program = "index i in 0..2\nw[0] = 0.5\na[i] ~ Bernoulli(w[i])\nL[i] = f32(a[i])\nw[i+1] = w[i] - grad(L, w[i])\nprint w\n"
    says(run("check", write(folder, "cut.rl", program)), 0, "cut.rl:5:17: warning[E0403]: this gradient is 0: `L` depends on `w` only through a draw\n",
         "cut.rl:3:", "`L` reads `a` reads `w`")


def test_a_missing_file(folder):
    says(run("run", str(Path(folder) / "none.rl")), 1, "none.rl", "No such file")
    says(run("check", folder), 1, "it is a folder")


def test_a_program_from_standard_input(folder):
    assert run("run", "-", "n=1", stdin=DECAY).stdout == "x[t=0] = 1.0\nx[t=1] = 0.5\n"


def test_json_is_an_object_a_line(folder):
    done = says(run("run", write(folder, "a.rl", DECAY + 'report "m" = x[t: n]\n'), "--json", "n=1"), 0)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"print": "x", "index": {"t": 1}, "value": 0.5} in lines, lines
    assert any(line.get("report") == "m" for line in lines), lines


def test_a_full_disk_is_said(folder):
    program = write(folder, "a.rl", DECAY)
    for command in (["run", program], ["eval", "1 + 1"], ["fmt", "-"], ["explain", "graph", program], ["explain", "E0301"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([RLC, *command], input=DECAY, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        assert done.returncode == 3 and "could not be written" in done.stderr, (command, done.returncode, done.stderr)


def test_a_reader_that_leaves_ends_the_run_quietly(folder):
    program = write(folder, "long.rl", "index i in 0..100000000\nx[0] = 0.0\nx[i+1] = x + 1.0\nreport \"x\" = x\n")
    with subprocess.Popen([RLC, "run", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        process.wait(timeout=60)
        assert process.returncode in (3, 130, -signal.SIGPIPE), process.returncode
        assert b"terminate" not in process.stderr.read()


# ---- the other commands ----------------------------------------------------------------------


def test_check(folder):
    assert says(run("check", write(folder, "a.rl", DECAY)), 0).stdout == ""
    done = run("check", write(folder, "wrong.rl", "x = y\nz = w\n"), "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1 and len(found) == 2, done.stdout
    assert all(each["code"].startswith("E") for each in found), found


def test_passes_are_timed_checked_and_left_out(folder):
    program = write(folder, "a.rl", DECAY)
    done = says(run("run", program, "--time-passes", "--verify-each", "--disable-pass=simplify"), 0, "dead-code ", "common-subexpressions ", " ms ")
    assert "simplify " not in done.stderr, done.stderr
    says(run("run", program, "--disable-pass=simplfy"), 2, "simplify")


def test_eval(folder):
    assert says(run("eval", "sum(k * k for k in 0..10)"), 0).stdout == "285\n"
    assert says(run("eval", "x[3] - x[2]", write(folder, "a.rl", DECAY)), 0).stdout == "-0.125\n"
    assert says(run("eval", "x[n]", write(folder, "a.rl", DECAY), "n=1"), 0).stdout == "0.5\n"
    says(run("eval", "1 +"), 1, "error[E")
    says(run("eval", "1 // 0"), 3)
    says(run("eval", ""), 2)


def test_a_sum_over_more_points_than_an_i32_counts(folder):
    """The same value, 3 * 10^9 times; the interpreter would take minutes."""
    done = says(run("run", write(folder, "a.rl", "param p = 2.0\nprint sum(p for k in 0..3000000000)\nprint mean(p for k in 0..3000000000)\n")), 0)
    assert done.stdout.split("= ")[1:] == ["6000000000.0\nmean(p for k in 0..3000000000) ", "2.0\n"], done.stdout


def test_a_name_that_the_library_has_is_said_to_be_there(folder):
    """And those of other languages."""
    for text, hint in [
        ("print Adam.init(1.0)\n", "use std.optim.Adam"),
        ("print CartPole.reset()\n", "use std.envs.CartPole"),
        ("use std.algorithms.{ppo, ddpg}\nprint 1\n", "`std.algorithms` has no `ddpg`"),
        ("use std.algorithms.{ppo, polyak}\nprint 1\n", "use std.optim.polyak"),
        ("print if True then 1 else 2\n", "it is written `true`"),
        ("x = [1.0, 2.0]\nprint x.sum()\n", "it is a function: `sum(x)`"),
        ("index t in 0..3\nx[t] = 1.0 * t\nprint x[t=2]\n", "`x[t: 2]` is `x` at a point"),
        ("index t in 0..3\nx[t] = 1.0 * t\nprint x[0:2]\n", "a slice is `x[0..2]`"),
        ("x = [k for k in 0..3]\nprint x\n", "a list is `list(e for k in lo..hi)`"),
        ("print sum(k for k in 0..3, j for j in 0..k)\n", "ranges stand behind one `for`"),
        ("a, b = (1, 2)\nprint a\n", "several names stand in parentheses"),
        ("env E {\n  state { x: i32 }\n  action Discrete(2)\n  reset { x = 0 }\n  step(a) { x = x + a }\n  reward = 1.0\n}\ns ~ E.reset()\n"
         "(n, _, _, _) = E.step(s, 1)\nprint n\n", "its next value has a prime: `x' = ...`"),
    ]:
        says(run("check", write(folder, "a.rl", text)), 1, hint)


def test_an_env_without_what_a_wrapper_asks_for(folder):
    env = "env E {\n  state { x: f32 }\n  action Discrete(2)\n  reset { x = 0.0 }\n  step(a) { x' = x + 1.0 }\n  observe = [x]\n  reward = 1.0\n  terminated = false\n  truncated = false\n}\n"
    program = "use std.wrappers.FrameStack\n" + env + "s ~ FrameStack(E, 2).reset()\nprint s\n"
    says(run("check", write(folder, "a.rl", program)), 1, "add the bounds of what `observe` gives: `observations = Box(")


def test_positions_beyond_64_bits(folder):
    program = write(folder, "a.rl", "index t in 9223372036854775800..9223372036854775807\nx[t] = 1.0\nprint x\n")
    says(run("run", program), 1, "the index domains of this program are too large: index arithmetic overflows 64 bits")


def test_no_output_replaces_a_program(folder):
    program = write(folder, "a.rl", "print 1\n")
    link = str(Path(folder) / "page")
    os.symlink(program, link)
    for command in (["build", program, "-o", program], ["build", program, "-o", link], ["explain", "graph", program, "-o", program], ["explain", program, "--html", link]):
        says(run(*command), 2, "is a program, which would be lost")
    assert Path(program).read_text(encoding="utf-8") == "print 1\n"
    page = Path(folder) / "page.txt"
    os.symlink(page.name, Path(folder) / "to-page")  # to what is not there yet
    says(run("explain", "graph", program, "-o", str(Path(folder) / "to-page")), 0)
    assert page.read_text(encoding="utf-8"), page
    os.symlink("around", Path(folder) / "around")
    says(run("explain", "graph", program, "-o", str(Path(folder) / "around")), 2, "can't write")


def test_explain_a_code(folder):
    assert "E0301" in says(run("explain", "E0301"), 0).stdout
    says(run("explain", "E9999"), 2, "E9999")


def test_version_and_help(folder):
    assert run("--version").stdout.startswith("rlc ")
    commands = ("run", "check", "eval", "explain", "bench", "fmt")
    top = says(run("--help"), 0).stdout
    for command in commands:
        assert command in top, command
        text = says(run(command, "--help"), 0).stdout
        assert "examples:" in text and f"rlc {command} " in text, f"{command} has no examples"
    says(run(), 2)
    says(run("rnu", "a.rl"), 2, "did you mean `run`")


# ---- the terminal ----------------------------------------------------------------------------


def in_terminal(command, seconds, env=None, interrupt_at=b"", columns=100):
    """Runs a command in a terminal of its own: (status, all that appeared). After `interrupt_at` appeared, Ctrl-C is typed."""
    try:
        child, master = pty.fork()
    except OSError as error:
        raise Skipped(f"no terminal can be made here: {error}") from error
    if child == 0:
        os.environ.pop("NO_COLOR", None)
        os.environ.update({"TERM": "xterm", "COLUMNS": str(columns)} | (env or {}))
        os.execv(command[0], command)
    seen, deadline, typed = b"", time.monotonic() + seconds, False
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.1)[0]:
            try:
                part = os.read(master, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                break  # the other end is closed
            if not part:
                break
            seen += part
        if interrupt_at and not typed and interrupt_at in seen:
            os.write(master, b"\x03")
            typed = True
    else:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(master)
    return status, seen.decode("utf-8", "replace")


def test_progress_line_and_ctrl_c_on_a_terminal(folder):
    program = write(folder, "long.rl", LONG)
    os.chdir(folder)
    status, seen = in_terminal([RLC, "run", program], 60, interrupt_at=b" left  level ")
    assert status == 130, f"status {status}: {seen[-300:]!r}"
    # iteration of iterations, steps a second, time left, the last metric
    line = next(part for part in seen.split("\r") if " left  level " in part)
    assert "i " in line and "/2000000001" in line and "/s" in line and "level" in line, repr(line)
    assert (Path(folder) / "state.rlc").stat().st_size > 0


def test_quiet_has_no_progress_line(folder):
    status, seen = in_terminal([RLC, "run", write(folder, "a.rl", DECAY), "--quiet"], 60)
    assert status == 0 and "\033" not in seen and "x[t=3] = 0.125" in seen, repr(seen)


def test_plain_lines_where_there_is_no_terminal(folder):
    done = says(run("run", write(folder, "short.rl", LONG), "iterations=300000", cwd=folder), 0)
    assert "\r" not in done.stderr and "\033" not in done.stdout and "level[i=200000]" in done.stdout, done


def test_colour_only_on_a_terminal_and_never_with_no_color(folder):
    program = write(folder, "wrong.rl", "x = y\n")
    assert "\033[" in in_terminal([RLC, "check", program], 60)[1]
    assert "\033[" not in in_terminal([RLC, "check", program], 60, {"NO_COLOR": "1"})[1]
    assert "\033[" not in in_terminal([RLC, "check", program], 60, {"TERM": "dumb"})[1]
    assert "\033[" not in run("check", program).stderr


def test_interrupt_stops_and_saves(folder):
    program = write(folder, "long.rl", LONG)
    with subprocess.Popen([RLC, "run", program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"level[i=0]")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130, process.returncode
    assert (Path(folder) / "state.rlc").stat().st_size > 0


def test_interrupt_is_answered_soon(folder):
    """In the middle of an iteration, too: lanes that each go through a long loop."""
    program = write(folder, "lanes.rl", "index b in 0..64\n"
                    "x[b] = sum(sin(0.01 * f32(k) * f32(b)) for k in 0..1000000000)\nprint sum(x for b)\n")
    seconds = []
    while not seconds or min(seconds) > 0.5 and len(seconds) < 4:
        with subprocess.Popen([RLC, "run", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(2.5)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            seconds.append(time.monotonic() - start)
        assert process.returncode == 130, process.returncode
    assert min(seconds) < 0.5, seconds


def test_interrupt_ends_a_long_compilation(folder):
    equations = [f"x{k}[i, j] = 1.0 + (if i > 0 and j < 90 then 0.3 * x{(k + 1) % 120}[i-1, j+70] else 0.0) "
                 f"+ (if i < 3 and j >= 80 then 0.2 * x{(3 * k + 2) % 120}[i+1, j-80] else 0.0)\n" for k in range(120)]
    program = write(folder, "long.rl", "index i in 0..4\nindex j in 0..160\n" + "".join(equations) + "print x0[0, 0]\n")
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen([RLC, "run", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1.0)
            process.send_signal(number)
            process.communicate(timeout=5)
        assert process.returncode == -number, process.returncode


if __name__ == "__main__":
    sys.exit(run_functions(sys.modules[__name__], sys.argv[1:], "command-line"))
