#!/usr/bin/env python3
"""Tests --memory-limit: the same results in less memory, and a refusal before the start where nothing helps."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.programs import KEPT

PPO = ROOT / "benchmarks" / "workloads" / "ppo_trivial.rl"
RLC = ""
EMULATED = ""  # the folder of the emulated GPU's libraries


def rlc(*args, environment=None):
    return subprocess.run([RLC, *map(str, args)], capture_output=True, text=True, timeout=300, env=os.environ | (environment or {}))


def rlc_on(text, *command, environment=None):
    """Runs a command on a program; `...` stands for its file."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.rl"
        program.write_text(text)
        return rlc(*(program if arg is ... else arg for arg in command), environment=environment)


def planned(*args):
    """Bytes in memory, in a mapped file."""
    text = rlc_on(KEPT, "explain", "memory", ..., *args).stdout
    both = re.search(r"in memory: (\d+) bytes, in a mapped file: (\d+) bytes", text)
    return (int(both[1]), int(both[2])) if both else (int(re.search(r"arena: (\d+)", text)[1]), 0)


class Windows(unittest.TestCase):
    def arena(self, *args):
        return int(re.search(r"arena: (\d+)", rlc("explain", "memory", *args).stdout)[1])

    def test_weights_that_a_loop_updates_take_as_much_for_any_number_of_updates(self):
        example = ROOT / "examples" / "ppo_pendulum.rl"
        few = self.arena(example, "hidden=32", "update_epochs=2", "num_minibatches=64", "num_steps=512")
        many = self.arena(example, "hidden=32", "update_epochs=8", "num_minibatches=64", "num_steps=512")
        self.assertLess(many - few, 100_000)  # the epochs' permutations

    def test_weights_that_rounds_carry_over_have_one_place(self):
        """Though they begin long before the first update, and each round goes on from the last one's last update."""
        for name, places in (("dqn_cartpole", ["run.w.layers.1.W", "run.opt.m.layers.1.W", "run.target.layers.1.W"]),
                             ("dqn_freeway", ["run.w.dense.layers.0.W", "run.opt.m.dense.layers.0.W"]),
                             ("dqn_space_invaders", ["run.w.dense.layers.0.W", "run.opt.m.dense.layers.0.W"]),
                             ("dqn_breakout", ["run.w.dense.layers.0.W", "run.opt.m.dense.layers.0.W"]),
                             ("ppo_cartpole", ["run.w.actor.net.layers.1.W", "run.opt.v.critic.layers.1.W"])):
            text = rlc("explain", "memory", ROOT / "examples" / f"{name}.rl").stdout
            for place in places:
                first = next(line for line in text.splitlines() if line.startswith(place + ":"))
                self.assertRegex(first, r": [ivl]=ring 1( [gu]=ring 1)?, ")

    def test_gradients_are_added_up_along_the_episode_that_they_go_back_through(self):
        """Of the rollout, its activations are kept for all steps; of the way back, a step's."""
        text = rlc("explain", "memory", PPO, "steps=100").stdout
        kept = re.findall(r"^(.*): .*b=lane t=(?:all|ring 100)\b.*, (\d+) x f32 per lane", text, re.MULTILINE)
        self.assertEqual(sorted(int(count) // 100 for _, count in kept if int(count) > 1000), [48, 64, 64], text)

    def test_what_is_printed_of_a_loop_is_a_point(self):
        text = """
param n = 1000
index b in 0..64
index t in 0..n
y[b, 0]   = 1.0 * b
y[b, t+1] = 0.5 * y + 1.0
print y[b, n]
print "third", y[b: 3, t: n]
"""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.rl"
            program.write_text(text)
            self.assertEqual(self.arena(program, "n=1000"), self.arena(program, "n=100000"))
            run = rlc("run", program)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("y[b, n][b=5] = 2.0\n", run.stdout)
            self.assertIn("third = 2.0\n", run.stdout)

    def test_weights_that_are_tried_now_and_then_are_not_all_kept(self):
        # What the trials share (`over`) comes after the loop that makes the weights, and depends on nothing in it.
        text = """
param n     = 1000
param every = 100
index v in 0..n
index b in 0..5
index t in 0..7
w[0]                 = zeros([50])
w[v+1]               ~ Normal(w, 1.0)
s[v in 0..n, b, 0]   = 0.0
s[v in 0..n, b, t+1] = if over then 0.0 else 0.5 * s + w[v+1][0]
steps[0]             = 0
steps[t+1]           = steps + 1
over                 = steps > 3
score[v]             = mean(s[v, b, 7] for b)
top[0]               = -inf
top[v+1]             = max(top, score) where (v + 1) % every == 0
top[v+1]             = top where (v + 1) % every != 0
best[0]              = w[0]
best[v+1]            = if score > top then w[v+1] else best where (v + 1) % every == 0
best[v+1]            = best where (v + 1) % every != 0
print best[n][0]
"""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.rl"
            program.write_text(text)
            for seeds in ((), ("--seeds", "0..2"), ("--seeds", "0..16")):  # 16: in lanes
                self.assertEqual(self.arena(program, "n=1000", *seeds), self.arena(program, "n=5000", *seeds))

    def test_sums_of_a_gradient_begin_where_they_are_added_up(self):
        example = ROOT / "examples" / "dqn_cartpole.rl"
        few = self.arena(example, "total_timesteps=20000", "batch_size=16", "--seeds", "0..2")
        many = self.arena(example, "total_timesteps=40000", "batch_size=16", "--seeds", "0..2")
        self.assertLess(many - few, 200_000)  # returns; the gradients would be 180 MB

    def test_a_population_draws_where_it_learns(self):
        """Each member's draws are computed by the loop that uses them, whether members are threads or lanes."""
        for name, seeds, bytes_of_step in (("dqn_cartpole", 3, 10), ("dqn_cartpole", 16, 10), ("dqn_freeway", 1, 32)):
            example = ROOT / "examples" / f"{name}.rl"
            few, many = (self.arena(example, f"total_timesteps={steps}", "buffer_size=10000", "window=1000",
                                    "--seeds", f"0..{seeds}")
                         for steps in (20000, 40000))
            self.assertLess(many - few, seeds * 20000 * bytes_of_step, name)  # returns, ε, ends

    def test_a_refusal_names_what_threads_keep(self):
        run = rlc_on("""
index b in 0..100000
index t in 0..1000000000 until done
y[0, b]   = 1.0 * b
y[t+1, b] = 0.5 * y + 1.0
done[t]   = t > 5000
z[b]      = y[end(t), b]
print z
""", "run", ..., "--device", "cpu")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertRegex(run.stderr, r"what \d+ threads? works? with, most of all `y`")
        self.assertIn("a value of `z`", run.stderr)  # whether a point exists, which its end asks for
        self.assertNotIn("``", run.stderr)


class MemoryLimit(unittest.TestCase):
    def test_results_are_the_same_bit_for_bit(self):
        plain = rlc_on(KEPT, "run", ..., "--json")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        for limit in ("5M", "4.5MB", "1MiB"):
            self.assertGreater(planned("--memory-limit", limit)[1], 0)
            limited = rlc_on(KEPT, "run", ..., "--json", "--memory-limit", limit)
            self.assertEqual(limited.returncode, 0, limited.stderr)
            self.assertEqual(limited.stdout, plain.stdout, limit)

    def test_a_gpu_keeps_in_the_hosts_memory_what_is_more(self):
        if not EMULATED:
            self.skipTest("no emulated GPU")
        # The device has room for what the limit says, and not for everything.
        environment = {"RLC_CUDA_PATH": EMULATED, "RLC_FAKE_GPU": "memory=5000000"}
        few = KEPT.replace("n = 1000, m = 1000", "n = 700, m = 1000")
        plain = rlc_on(few, "run", ..., "--json", "--device", "gpu", environment=environment | {"RLC_FAKE_GPU": "memory=100000000"})
        self.assertEqual(plain.returncode, 0, plain.stderr)
        refused = rlc_on(few, "run", ..., "--json", "--device", "gpu", environment=environment)
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertIn("--memory-limit", refused.stderr)
        limited = rlc_on(few, "run", ..., "--json", "--device", "gpu", "--memory-limit", "4M", environment=environment)
        self.assertEqual(limited.returncode, 0, limited.stderr)
        self.assertEqual(limited.stdout, plain.stdout)

    def test_tensors_move_to_a_file_only_under_a_limit(self):
        self.assertEqual(planned()[1], 0)
        self.assertEqual(planned("--memory-limit", "1G")[1], 0)
        memory, file = planned("--memory-limit", "5M")
        self.assertLessEqual(memory, 5_000_000)
        self.assertGreater(file, 0)
        self.assertGreaterEqual(memory + file, planned()[0])

    def test_what_is_cheap_is_computed_again_before_anything_moves(self):
        """The observations, all numbers of which are the state's, and a layer of which the one before is kept."""
        text = self.same_results("12M")
        self.assertRegex(text, r"\+ `image` is computed again where later loops read it.*\n +ppo_trivial.rl:\d+: image\[")
        self.assertIn("image: i=ring 1 b=lane t=ring 1, ", text)
        self.assertNotIn("mapped file", text)
        self.assertNotIn("computed again", self.explained())

    def test_what_threads_work_with_moves_to_a_file(self):
        self.assertRegex(self.same_results("2M"), r"in a mapped file for each thread: [1-9]")

    def test_draws_are_computed_again(self):
        """The same numbers, though a loop downward draws them after one upward has."""
        program = """
param n = 100, m = 20000
index b in 0..n
index t in 0..m
x[b, t]    ~ Normal(0.0, 1.0)
y[b, 0]    = 0.0
y[b, t+1]  = 0.9 * y + x
last[b]    = y[b, m]
z[b, t: m] = last
z[b, t in 0..m] = 0.5 * z[b, t+1] + x * x
report "mean" = mean(z[b, 0] for b)
"""
        plain, limited = (rlc_on(program, "run", ..., "--json", *limit) for limit in ((), ("--memory-limit", "200K")))
        self.assertEqual(limited.returncode, 0, limited.stderr)
        self.assertEqual(limited.stdout, plain.stdout)
        text = rlc_on(program, "explain", "memory", ..., "--memory-limit", "200K").stdout
        self.assertIn("`x` is computed again", text)

    def test_what_is_computed_again_leaves_the_order_of_sums(self):
        """What is not kept may let loops join, or be asked for in a condition on which a loop is cut: neither may change a bit."""
        joined = """index b in 0..257
index t in 0..7
z[b, t] ~ Normal(0, 1)
m[b] = mean(z[b, t] for t)
x[b, t] = z[b, clip(i32(floor(7.0 * z)), 0, 6)] * m[b]
y[b, t] = sum(x[b, u] for u in max(t-3, 0)..=t)
w[b, t] = if y[clip(i32(floor(257.0 * z)), 0, 256), t] > 0.0 then (if b < 256 then z[b+1, t] else 0.5) else 0.25 * (if b < 256 then x[b+1, t] else 0.5)
print sum(w[b, t] * z[b, t] for b, t)
"""
        cut = """index o in 0..3
index b in 0..64
index t in 0..7
z[o, b, t] ~ Normal(0, 1)
x[o, b, t] = tanh((if b < 63 then z[o, b+1, t] else 0.5) + z[o, 63-b, t])
y[o, b, t] = if z[o, clip(i32(floor(64.0 * z)), 0, 63), t] > 0.0 then (if t > 0 then x[o, b, t-1] else 0.25) else 0.25 * x
w[o, b, t] = if x[o, b, 6-t] > 0.0 then x[max(o-1, 0), b, t] else 0.25 * (if t > 0 then x[o, b, t-1] else 0.25)
print sum(y[o, b, t] * z[o, b, t] for o, b, t)
print sum(w[o, b, t] * z[o, b, t] for o, b, t)
"""
        for program, limit in ((joined, "4K"), (cut, "1K")):
            plain, limited = (rlc_on(program, "run", ..., "--json", "--device", "cpu", *given) for given in ((), ("--memory-limit", limit)))
            self.assertEqual(limited.returncode, 0, limited.stderr)
            self.assertEqual(limited.stdout, plain.stdout, program)

    def test_trees_are_not_computed_again(self):
        program = ROOT / "tests" / "conformance" / "12_sum_tree_seeds.rl"
        limited = rlc("run", program, "--memory-limit", "78566")
        self.assertEqual((limited.returncode, limited.stdout), (0, rlc("run", program).stdout), limited.stderr)

    DRIFT = (PPO, "iterations=2", "envs=64", "steps=500", "pixels=192")

    def explained(self, *limit):
        return rlc("explain", "memory", *self.DRIFT, *limit).stdout

    def same_results(self, limit):
        plain, limited = rlc("run", *self.DRIFT, "--json"), rlc("run", *self.DRIFT, "--json", "--memory-limit", limit)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertEqual(limited.returncode, 0, limited.stderr)
        self.assertEqual(limited.stdout, plain.stdout)
        return self.explained("--memory-limit", limit)

    def test_sums_that_nothing_is_added_to_touch_nothing(self):
        """In loops that overlap, s[b - 99] is added to from b = 99 on; before, there is no such place, and the arena begins where it begins."""
        program = ("index b in 0..100\nindex t in 0..301\nz[b,t] ~ Normal(0, 1)\nx0[b,t] = tanh(z[99-b, t] + z[b, clip(i32(floor(z*301.0)), 0, 300)])\n"
                   "m[b] = mean(x0[b,t] for t)\nx2[b,t] = x0[clip(i32(floor(z*100.0)), 0, 99), t] * m[b]\nx1[b,0] = z[b,0]\n"
                   "x1[b,t+1] = 0.5*x1 + z[b, max(t-1, 0)]\nprint sum(x0[b,t] * z[b,t] for b, t)\nprint sum(x1[b,t] * z[b,t] for b, t)\n"
                   "print sum(x2[b,t] * z[b,t] for b, t)\ns[b] = sum(x2[b,t] for t)\nprint s\n")
        for _ in range(10):  # where it begins differs from run to run
            run = rlc_on(program, "run", ..., "--memory-limit", "96793", "--seeds", "0..3", "--device", "cpu")
            self.assertEqual(run.returncode, 0, run.stderr[:500])

    def test_what_cannot_fit_is_refused_with_a_table(self):
        run = rlc("run", PPO, "iterations=2", "--memory-limit", "20k")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stdout, "")
        self.assertIn("does not fit into 20.0 kB of memory: it needs ", run.stderr)
        self.assertRegex(run.stderr, r"\n +[\d.]+ [kM]B  `θ.net.layers.1.W`  i: 1, 2 of that name\n")
        names = re.findall(r"B  (`.*`  .*?)(?:,? \d of that name)?\n", run.stderr)
        self.assertEqual(len(names), len(set(names)), run.stderr)

    def test_what_no_machine_has_is_refused_without_a_limit(self):
        run = rlc_on(KEPT, "run", ..., "n=100000000", "--device", "cpu")
        self.assertEqual(run.returncode, 3, run.stderr[:500])
        self.assertIn("does not fit into", run.stderr)

    def test_sizes_that_are_none_are_refused(self):
        for size in ("0", "-5M", "M", "5 M", "5X", "1e30", "nan"):
            run = rlc_on(KEPT, "run", ..., f"--memory-limit={size}")
            self.assertEqual(run.returncode, 2, size)
            self.assertIn("takes a size such as", run.stderr)


# What learns starts after 20 steps of what it learns from; `x` reads `w` from the beginning.
LATE_START = """
index n in 0..100
index k in 0..8
index j in 0..5
x[0]         = 1.0
x[n+1]       = 0.5 * x[n] + 0.01 * sum(w[max(n, 20), k] for k)
w[20, k]     = 0.1
m[20, k]     = 0.0
m[n+1, k]    = 0.9 * m[n, k] + 0.1 * g[n, k] where n >= 20
w[n+1, k]    = w[n, k] - 0.2 * m[n+1, k] where n >= 20
g[n in 20..100, k] = sum((w[n, k] - x[n]) * (0.1 * j) for j)
report "end" = x[100]
"""


# Prioritized replay; each line of `READERS` reads the tree as well.
TREE = """
param capacity = 1000
index n in 0..50
index k in 0..8
tree[0]   = SumTree(capacity).insert(0, 1.0)
j[n, k]   ~ tree.sample()
tree[n+1] = tree.insert((n + 1) % capacity, 1.0).update(j[k: 0..8], f32(j[k: 0..8]))
total[n]  = tree.total()
report "total" = total[n]
"""
READERS = ["", "log_p[n, k] = tree.log_prob(j)\nreport \"log p\" = mean(log_p[n, k] for k)\n"]


class WindowsOfTrees(unittest.TestCase):
    def test_a_tree_that_is_updated_stays_in_one_place(self):
        for reader in READERS:
            text = rlc_on(TREE + reader, "explain", "memory", ...).stdout
            self.assertRegex(text, r"(?m)^tree.nodes: n=ring 1, ")

    def test_two_versions_of_a_tree_are_kept_where_both_are_read(self):
        both = 'gain = tree[n+1].total() - tree.total()\nreport "gain" = gain\n'
        text = rlc_on(TREE + both, "explain", "memory", ...).stdout
        self.assertRegex(text, r"(?m)^tree.nodes: n=ring 2, ")

    def test_what_starts_late_is_kept_for_a_step_only(self):
        text = rlc_on(LATE_START, "explain", "memory", ...).stdout
        results = [rlc_on(LATE_START, "run", ..., "--device", device, "--json").stdout for device in ("interp", "cpu")]
        for tensor in ("w", "m", "g"):
            extent = int(re.search(rf"^{tensor}: n=ring (\d+)", text, re.MULTILINE)[1])
            self.assertLessEqual(extent, 3, text)
        values = [json.loads(result)["value"] for result in results]
        self.assertAlmostEqual(values[0], values[1], places=4)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rlc", required=True)
    parser.add_argument("--emulated", default="", help="the folder of the emulated GPU's libraries")
    known, rest = parser.parse_known_args()
    EMULATED = known.emulated
    RLC = str(Path(known.rlc).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
