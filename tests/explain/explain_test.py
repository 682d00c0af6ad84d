#!/usr/bin/env python3
"""Tests `rlc explain`: every stage in every format, what the passes say, and that pages stand alone."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples" / "reinforce_cartpole.rl"
TWO_NAMES = ROOT / "tests" / "conformance" / "04_recurrence_index_of_its_own.rl"
REINFORCE = ROOT / "benchmarks" / "workloads" / "reinforce.rl"
SMALL = ["iterations=2", "envs=8", "horizon=20"]
PPO = ROOT / "examples" / "ppo_cartpole.rl"
SMALL_PPO = ["total_timesteps=64", "num_steps=16", "num_minibatches=2", "update_epochs=2"]
RLC = ""

RETURN = """\
param T = 1000
index t in 0..T
r[t] ~ Normal(0.0, 1.0)
G[t] = r[t] + 0.9 * G[t+1]
G[T] = 0.0
H = sum(r[k] for k in t..T)
print "total", G[0] + H[0]
"""

LAYERS = """\
param layers = 5
index u in 0..10
index l in 0..layers
index n in 0..256
w[l] ~ Normal(zeros(64, 64), 0.1)
x[n] ~ Uniform(zeros(64), 1.0)
W[0, l]      = w
h[u, n, 0]   = x
h[u, n, l+1] = h + 0.3 * tanh(W[u, l] @ h)
loss[u]      = mean(sum(h[l: layers]^2) for n)
W[u+1, l]    = W - 0.01 * grad(loss, W)
report "loss" = loss
"""

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """Remembers what does not match, what would be fetched, and the ids."""

    def __init__(self, text):
        super().__init__()
        self.open, self.problems, self.fetched, self.ids = [], [], [], set()
        self.feed(text)
        self.problems += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.note(attrs)

    def handle_startendtag(self, tag, attrs):
        self.note(attrs)

    def note(self, attrs):
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and value and not value.startswith("#"):
                self.fetched.append(value)
            if name == "id":
                self.ids.add(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> does not match")


def indent(line):
    return len(line) - len(line.lstrip())


def rlc(*args, env=None):
    return subprocess.run([RLC, *map(str, args)], capture_output=True, text=True, timeout=120, env=env)


class Explain(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = Path(self.folder.name) / "return.rl"
        self.program.write_text(RETURN)

    def explain(self, *args, env=None):
        run = rlc("explain", *args, env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def refused(self, *args):
        run = rlc("explain", *args)
        self.assertEqual(run.returncode, 2, run.stdout)
        return run.stderr

    def test_every_stage_as_text(self):
        for stage in ("graph", "passes", "schedule", "memory", "loops", "kernels", "assembly"):
            self.assertGreater(len(self.explain(stage, self.program)), 100, stage)

    def test_what_cannot_be_vectorized_is_said_with_its_line(self):
        text = self.explain("schedule", self.program)
        self.assertIn("`G` is not vectorized along t: `G[t]` reads `G[t + 1]`\n      return.rl:4: G[t] = r[t]", text)

    def test_passes_say_what_they_did_and_where(self):
        text = self.explain("passes", self.program)
        self.assertRegex(text, r"`H` is a recurrence along `t`.*\n +return\.rl:6: H = sum")

    def test_before_and_after_a_pass(self):
        before = self.explain("graph", self.program, "--before", "simplify-reductions")
        after = self.explain("graph", self.program, "--after", "simplify-reductions")
        self.assertRegex(before, r"sum\(r(%\d+)?\[k\] for k")
        self.assertNotRegex(after, r"sum\(r(%\d+)?\[k\] for k")
        change = self.explain("graph", self.program, "--before", "simplify-reductions", "--after", "simplify-reductions")
        self.assertRegex(change, r"(?m)^- .*sum\(r(%\d+)?\[k\] for k")
        self.assertRegex(change, r"(?m)^\+ ")

    def test_what_a_pass_leaves_out_changes_nothing_else(self):
        """The library's weights have two tensors of a name until the one at the run's end goes, which nothing reads."""
        change = self.explain("graph", PPO, *SMALL_PPO, "--before", "dead-code", "--after", "dead-code")
        self.assertRegex(change, r"(?m)^- ")
        self.assertNotRegex(change, r"(?m)^\+ ")

    def test_a_pass_that_is_off_leaves_no_trace(self):
        text = self.explain("passes", self.program, "--disable-pass", "simplify-reductions")
        self.assertNotIn("simplify-reductions:", text)
        self.assertNotIn("is a recurrence", text)

    def test_wrong_names_are_refused(self):
        self.assertIn("did you mean `simplify`", self.refused("graph", self.program, "--after", "simplfy"))
        self.assertIn("runs 2 times", self.refused("graph", self.program, "--after", "simplify:3"))
        self.assertIn("there is no pass", self.refused("passes", self.program, "--disable-pass", "nothing"))
        self.assertIn("the same name", self.refused("graph", self.program, "--before", "simplify", "--after", "dead-code"))
        self.assertIn("text only", self.refused("loops", self.program, "--format", "dot"))

    def test_graphviz_takes_what_it_is_given(self):
        if not shutil.which("dot"):
            self.skipTest("graphviz is not installed")
        for stage in ("graph", "passes", "schedule", "memory", "kernels"):
            dot = self.explain(stage, EXAMPLE, *SMALL, "--format", "dot")
            drawn = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, timeout=60)
            self.assertEqual(drawn.returncode, 0, (stage, drawn.stderr))
            self.assertNotIn("syntax error", drawn.stderr)
        self.assertIn("[i, b, t - 1]", self.explain("graph", EXAMPLE, *SMALL, "--format", "dot"))

    def test_a_page_stands_alone(self):
        target = Path(self.folder.name) / "page.html"
        self.explain(EXAMPLE, *SMALL, "--html", target)
        page = Page(target.read_text())
        self.assertEqual(page.problems, [])
        self.assertEqual(page.fetched, [])
        self.assertLessEqual({"graph", "passes", "schedule", "memory", "kernels"}, page.ids)

    def test_the_schedule_stands_beside_its_lines(self):
        page = self.explain("schedule", self.program, "--format", "html")
        self.assertRegex(page, r'data-line="4"><b>4</b>G\[t\] = r\[t\]')
        self.assertRegex(page, r'class="run" data-line="4"')

    def test_an_algorithm_of_the_library_is_shown_with_its_own_equations(self):
        graph = self.explain("graph", PPO, *SMALL_PPO, "--format", "dot")
        for tensor in ("run.s[i, b, t]", "run.advantage[i, b, t]", "run.loss[i, u]", "ppo.rl:"):
            self.assertIn(tensor, graph)
        self.assertIn("[i, from run.j, from run.j]", graph)  # what the positions of a minibatch are computed from
        page = self.explain("schedule", PPO, *SMALL_PPO, "--format", "html")
        self.assertRegex(page, r'class="run" data-line="std/algorithms/ppo\.rl:\d+"')
        self.assertRegex(page, r'class="used" data-line="std/algorithms/ppo\.rl:\d+"><b>\d+</b>')
        passes = self.explain("passes", PPO, *SMALL_PPO)
        self.assertRegex(passes, r"`run\.value` does not reuse `run\.v`.*reads `run\.w.*` at `\[i, u\]`, not at `\[i, 0\]`")
        self.assertRegex(passes, r"the next point of `run\.opt\.m\..*` is read where it is kept")
        self.assertRegex(passes, r"`run\.s` is not vectorized along t: .*\n +std/algorithms/ppo\.rl:\d+: ")

    def test_a_loss_reuses_the_forward_pass_of_its_rollout_at_the_same_weights(self):
        """Each network has two hidden layers: their tanh stand once for the rollout, and for the loss only where it sees other
        weights. A2C's critic also sees the observations before resets."""
        layers = {
            ROOT / "examples" / "reinforce_cartpole.rl": 2,
            ROOT / "benchmarks" / "workloads" / "ppo_trivial.rl": 4,
            ROOT / "examples" / "a2c_cartpole.rl": 4 + 2,
            PPO: 4 + 4,
        }
        for program, expected in layers.items():
            with self.subTest(program=program.name):
                self.assertEqual(self.explain("graph", program).count("= tanh"), expected)

    def test_an_order_that_is_only_valid_says_so(self):
        program = ROOT / "tests" / "conformance" / "04_order_any.rl"
        self.assertIn("some order: the search for a good one was given up", self.explain("schedule", program))
        self.assertIn("gave up the search for a good one", self.explain("schedule", program, "--format", "html"))

    def test_a_large_group_without_an_order_along_one_index_runs_along_a_sum_of_them(self):
        program = ROOT / "tests" / "conformance" / "04_order_wavefront.rl"
        self.assertRegex(self.explain("schedule", program), r"(?m)^along a sum of the indices$")
        self.assertIn("they run along a sum of the indices", self.explain("schedule", program, "--format", "html"))

    def test_a_table_that_does_not_stay_in_place_says_why(self):
        text = self.explain("schedule", ROOT / "tests" / "conformance" / "04_recurrence_one_element.rl")
        self.assertIn("  table[t, s] changes in one position", text)
        self.assertRegex(text, r"not in place:\n(.*\n)*  - `late` is computed at all positions.* points are kept along t")
        self.assertRegex(text, r"`chain` is computed at all positions.* only element by element")

    def test_what_is_shown_of_each_iteration_appears_in_its_loop(self):
        text = self.explain("schedule", PPO, *SMALL_PPO)
        self.assertEqual(len(re.findall(r"(?m)^for i in 0\.\.(?!1$)", text)), 1, text)

    def test_the_peak_is_marked(self):
        text = self.explain("memory", self.program, "T=100000")
        arena = int(re.search(r"arena: (\d+) bytes", text)[1])
        page = self.explain("memory", self.program, "T=100000", "--format", "html")
        self.assertIn("peak: ", page)
        self.assertGreater(arena, 0)

    def test_a_sum_begins_in_the_loop_that_reads_it(self):
        memory = self.explain("memory", EXAMPLE, *SMALL)
        self.assertRegex(memory, r"(?m)^∂loss/∂θ.net.layers.0.W: i=ring ")

    def loop_of(self, schedule, first, loop):
        """The lines inside the innermost `loop` around the first line that holds `first`."""
        lines = schedule.splitlines()
        at = next(n for n, line in enumerate(lines) if first in line)
        head = next(n for n in range(at, -1, -1) if re.match(rf"\s*{loop}", lines[n]) and indent(lines[n]) < indent(lines[at]))
        body = []
        for line in lines[head + 1:]:
            if indent(line) <= indent(lines[head]):
                break
            body.append(line.strip())
        return body

    def test_two_names_for_what_a_recurrence_runs_along_are_one_loop(self):
        schedule = self.explain("schedule", TWO_NAMES)
        self.assertNotIn("isl", schedule)
        for equation in (r"w\[t\]", r"w\[t - 1\]", r"x\[t - 2\]"):
            self.assertRegex(schedule, rf"(?m)^  {equation} \(equation")
        self.assertNotIn("isl", self.explain("schedule", TWO_NAMES.with_stem(TWO_NAMES.stem + "_for_columns")))

    def test_a_trees_update_takes_what_lies_side_by_side_where_it_is(self):
        loops = self.explain("loops", ROOT / "tests/conformance/12_sum_tree_entries.rl")
        updates = re.findall(r"tree update\([^&]*&([\w.]+)\[.*?&([\w.]+)\[", loops)
        self.assertEqual([("positions", "priorities"), ("positions.1", "p"), ("place", "p"), ("by", "weight"), ("positions.2", "p")], updates)

    def test_a_return_of_n_steps_learns_while_the_episode_runs(self):
        few = self.explain("schedule", REINFORCE, "n=5")
        self.assertTrue(any("∂loss/∂θ.net.layers.1.W" in line for line in self.loop_of(few, "x[i, b, t]", "for t")))
        whole = self.explain("schedule", REINFORCE)
        self.assertFalse(any("∂loss" in line for line in self.loop_of(whole, "x[i, b, t]", "for t")))

    def test_whether_learning_waits_is_said_with_what_makes_it_wait(self):
        few = self.explain("schedule", REINFORCE, "n=5")
        self.assertRegex(few, r"learning:\n  \+ `∂loss/∂θ` adds up while `x` is computed, 5 steps of t behind it\n +reinforce\.rl:\d+: loss ")
        whole = self.explain("schedule", REINFORCE)
        self.assertRegex(whole, r"  - `∂loss/∂θ` adds up only when `x` is complete along t: `G\[t\]` reads `G\[t \+ 1\]`, "
                                r"so it is computed downward\n +reinforce\.rl:\d+: G ")
        page = self.explain("schedule", REINFORCE, "--format", "html")
        self.assertRegex(page, r'class="note no"><code>∂loss/∂θ</code> adds up only when <code>x</code> is complete')
        self.assertNotIn("learning:", self.explain("schedule", self.program))

    def test_learning_waits_for_a_mean_along_the_whole_index(self):
        program = Path(self.folder.name) / "mean.rl"
        program.write_text("""\
index i in 0..4
index t in 0..50
x[i, 0]   = 0.5
x[i, t+1] = sin(x + detach(w[i]))
m[i]      = mean(x[t+1] for t)
loss[i]   = mean(detach(x[t+1] - m) * tanh(w[i] * x) for t)
w[0]      = 0.1
w[i+1]    = w - 0.1 * grad(loss, w)
print w[4]
""")
        self.assertRegex(self.explain("schedule", program), r"adds up only when `x` is complete along t: it needs `m`, a sum along all of t")

    def test_a_return_of_n_steps_keeps_n_steps(self):
        def kept(*args):
            text = self.explain("memory", REINFORCE, *args)
            lanes = sum(int(n) for n in re.findall(r", (\d+) x f32 per lane", text))
            return int(re.search(r"arena: (\d+)", text)[1]), lanes

        self.assertEqual(kept("n=5", "steps=1000"), kept("n=5", "steps=2000"))
        self.assertGreater(kept("steps=2000")[1], 1.9 * kept("steps=1000")[1])

    def test_a_sum_of_all_elements_runs_along_rows(self):
        program = Path(self.folder.name) / "rows.rl"
        program.write_text("index i in 0..32\nindex j in 0..64\nx[i, j] ~ Uniform(0.0, 1.0)\ny = x[i: 0..32, j: 0..64]\nprint sum(y * y)\n")
        self.assertRegex(self.explain("loops", program), r"lanes v\d+ in 0\.\.64: sum into")

    def test_layers_of_an_index_leave_lanes_to_their_elements(self):
        """Weights that a batch's lanes share lie row by row, however many layers there are, and so do their gradients."""
        program = Path(self.folder.name) / "layers.rl"
        program.write_text(LAYERS)
        for layers in (5, 24):
            loops = self.explain("loops", program, f"layers={layers}")
            self.assertRegex(loops, r"lanes v\d+ in 0\.\.64:\n *W\[")
            self.assertNotRegex(loops, rf"lanes [^\n]*{layers}\b[^\n]*# l\n")
            weights = re.findall(r"fma\(W\[v\d+ (?:\* 64 )?\+ \(v\d+ (?:\* 64 )?\+ v\d+ \* 4096\)\]", loops)
            self.assertTrue(weights, loops)

    def test_a_convolution_has_its_batch_in_lanes(self):
        """An element is a sum, however short its innermost loop: lanes of elements would gather its pixels."""
        program = ROOT / "benchmarks/workloads/convolution.rl"
        loops = self.explain("loops", program, "batch=32", "rows=84", "channels=4", "filters=32", "size=8", "stride=4")
        self.assertRegex(loops, r"lanes v(\d+) in v\d+ \* 16\.\.min\(v\d+ \* 16 \+ 16, 32\):  # b\n(?: .*\n)*? +v\d+ = fma\(w\.W\[.*\], x\[.*\+ v\1\)")

    def test_what_takes_next_to_no_time_is_one_box_before_the_kernels(self):
        dot = self.explain("kernels", EXAMPLE, "--format", "dot")
        boxes = re.findall(r"(?m)^  k\d+ \[.*", dot)
        self.assertRegex(boxes[0], r"k1 to k\d+.*next to no time")
        shares = [int(share) for share in re.findall(r"about (\d+) % of the work", dot)]
        self.assertTrue(90 <= sum(shares) <= 110, shares)

    def test_without_graphviz_the_page_says_so(self):
        env = dict(os.environ, PATH=self.folder.name)
        page = self.explain("graph", self.program, "--format", "html", env=env)
        self.assertIn("Graphviz is not installed", page)
        self.assertIn("digraph program", page)
        self.assertEqual(Page(page).problems, [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rlc", required=True)
    known, rest = parser.parse_known_args()
    RLC = str(Path(known.rlc).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
