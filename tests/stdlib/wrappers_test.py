#!/usr/bin/env python3
"""Wrappers: what they make of an environment whose course is known, and of Gymnasium's statistics in f64."""

import math

from testing import agree, main

# After n steps the number is n (times the action's share); an episode ends at 3, and is cut after 5.
COUNTER = """
env Counter(length: int = 3) {
  param step_reward = 2.0
  state { n: i32, x: f32 }
  action Discrete(3)
  reset { n = 0; x = 0.25 }
  step(a) {
    n' = n + 1
    x' = x + f32(a)
  }
  observations = Box(low = [0.0, 0.0], high = [9.0, 9.0])
  observe = [f32(n), x]
  reward = step_reward + f32(n)
  terminated = n' >= length
}
env Lever {
  state { x: f32[2] }
  action Box(low = [-2.0, 0.0], high = [2.0, 10.0])
  reset { x = zeros([2]) }
  step(a) { x' = a }
  observations = Box(low = [-2.0, 0.0], high = [2.0, 10.0])
  observe = x
  reward = sum(x')
}
"""


def time_limit(runner):
    got = runner.output("use std.wrappers.TimeLimit" + COUNTER + """
index t in 0..3
cut = TimeLimit(Counter(100), 3)
both = TimeLimit(Counter(2), 2)
s[0] ~ cut.reset()
(s[t+1], r, terminated, truncated) = cut.step(s, 1)
u[0] ~ both.reset()
(u[t+1], ru, over, out) = both.step(u, 0)
print "r", r
print "ends", [terminated, truncated, over, out]
print "seen", cut.observe(s[3])
print "actions", cut.actions
""")
    agree(got["r"], [2.0, 3.0, 4.0])
    agree(got["ends"], [[False] * 4, [False, False, True, True], [False, True, True, True]])
    agree(got["seen"] + got["actions"], [[3.0, 3.25], 3])


def sticky(runner):
    got = runner.output("use std.wrappers.StickyActions" + COUNTER + """
index b in 0..4000
index t in 0..3
E = StickyActions(Counter, 0.3)
s[b, 0] ~ E.reset()
(s[b, t+1], r, terminated, truncated) = E.step(s, t % 2 + 1)
print "first", mean(f32(s[b, 1].last == 0) for b)
print "later", mean(f32(s[b, 3].last == s[b, 2].last) for b)
print "done", all(s[b, t+1].inner.x - s[b, t].inner.x == f32(s[b, t+1].last) for b, t)
""")
    agree([got["first"][0], got["later"][0]], [0.3, 0.3 + 0.7 * 0.3 * 0.7], 0.03, "how often the last action comes again")
    agree(got["done"], [True])


def actions(runner):
    got = runner.output("use std.wrappers.{ClipActions, RescaleActions}" + COUNTER + """
clipped = ClipActions(Lever)
s ~ clipped.reset()
(next, r, terminated, truncated) = clipped.step(s, [-7.0, 3.0])
scaled = RescaleActions(Lever)
u ~ scaled.reset()
(after, ru, over, out) = scaled.step(u, [0.5, -1.0])
unit = ClipActions(RescaleActions(Lever, 0.0, 1.0))
w ~ unit.reset()
(then_, rw, x, y) = unit.step(w, [0.25, 4.0])
print "clipped", next.inner.x
print "scaled", after.inner.x
print "unit", then_.inner.inner.x
print "spaces", [clipped.actions.low, clipped.actions.high, scaled.actions.low, scaled.actions.high]
""")
    agree(got["clipped"] + got["scaled"] + got["unit"], [[-2.0, 3.0], [1.0, 0.0], [-1.0, 10.0]])
    if got["spaces"][0] != [["-inf"] * 2, ["inf"] * 2, [-1.0] * 2, [1.0] * 2]:
        raise AssertionError(f"the spaces are {got['spaces']}")


def autoreset(runner):
    source = "use std.wrappers.{Autoreset, TimeLimit}" + COUNTER + """
index t in 0..7
same = Autoreset(Counter)
s[0] ~ same.reset()
(s[t+1], r, ended, cut) = same.step(s, 1)
late = Autoreset(TimeLimit(Counter(100), 3), "next_step")
u[0] ~ late.reset()
(u[t+1], ru, over, out) = late.step(u, 1)
none = Autoreset(Counter, mode = "none")
v[0] ~ none.reset()
(v[t+1], rv, gone, away) = none.step(v, 1)
print "same", same.observe(s)[0]
print "final", same.final_observation(s[t+1])[0]
print "ends", [ended, cut]
print "r", r
print "late", late.observe(u)[0]
print "late r", ru
print "late ends", [over, out]
print "none", none.observe(v)[0]
print "none ends", [gone, away]
print "builtin", last
w[0] ~ Counter.reset()
(w[t+1], rw, wt, wc, last) ~ Counter.autoreset(w, 1)
"""
    got = runner.output(source)
    ends = [t % 3 == 2 for t in range(7)]
    agree(got["same"], [0.0, 1.0, 2.0] * 2 + [0.0])
    agree(got["final"], [1.0, 2.0, 3.0] * 2 + [1.0])
    agree(got["ends"], [[e, False] for e in ends])
    agree(got["r"], [2.0, 3.0, 4.0] * 2 + [2.0])
    agree(got["late"], [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0])
    agree(got["late r"], [2.0, 3.0, 4.0, 0.0, 2.0, 3.0, 4.0])
    agree(got["late ends"], [[False, t in (2, 6)] for t in range(7)])
    agree(got["none"], [float(t) for t in range(7)])
    agree(got["none ends"], [[t >= 2, False] for t in range(7)])
    agree([o[0] for o in got["builtin"]], [1.0, 2.0, 3.0] * 2 + [1.0])


def statistics(runner):
    got = runner.output("use std.wrappers.{Autoreset, EpisodeStatistics, running_return, episode_start, frames}" + COUNTER + """
index t in 0..8
E = EpisodeStatistics(Autoreset(Counter))
s[0] ~ E.reset()
(s[t+1], r, ended, cut) = E.step(s, 1)
print "s", [f32(s.length), s.total, f32(s.last_length), s.last_total, f32(s.episodes)]
print "return", running_return(r, ended)
print "start", episode_start(ended)
print "frames", frames(E.observe(s), episode_start(ended), 3)
print "final", E.final_observation(s[3])
""")
    n = [t % 3 for t in range(8)]
    total = [[0.0, 2.0, 5.0][k] for k in n]
    over = [0.0] * 3 + [1.0] * 3 + [2.0] * 2
    agree(got["s"], [[float(k), g, 3.0 if e else 0.0, 9.0 if e else 0.0, e] for k, g, e in zip(n, total, over)])
    agree(got["return"], [[2.0, 5.0, 9.0][k] for k in n])
    agree(got["start"], [t - k for t, k in enumerate(n)])
    see = lambda k: [float(k), 0.25 + k]
    agree(got["frames"], [[see(max(k - 2, 0)), see(max(k - 1, 0)), see(k)] for k in n])
    agree(got["final"][0], [3.0, 3.25])


def frame_stack(runner):
    got = runner.output("use std.wrappers.{FrameStack, StickyActions, TimeLimit}" + COUNTER + """
index t in 0..8
E = FrameStack(Counter, 3)
s[0] ~ E.reset()
(s[t+1], r, ended, cut, last) ~ E.autoreset(s, 1)
print "seen", E.observe(s)
print "last", last
print "r", r
print "space", E.observations.high
One = FrameStack(Counter, 1)
u[0] ~ One.reset()
(u[t+1], ru, over, out, final) ~ One.autoreset(u, 1)
print "one", One.observe(u)
print "one's last", final
""")
    see = lambda k: [float(k), 0.25 + k]
    frames = lambda k: [see(max(k - 2, 0)), see(max(k - 1, 0)), see(k)]
    n = [t % 3 for t in range(8)]
    agree(got["seen"], [frames(k) for k in n])
    agree(got["last"], [frames(k + 1) for k in n])
    agree(got["r"], [2.0 + k for k in n])
    agree(got["space"][0], [[9.0, 9.0]] * 3)
    agree(got["one"], [[see(k)] for k in n])
    agree(got["one's last"], [[see(k + 1)] for k in n])
    # An algorithm sees it as it sees any environment, and hands out what is below it.
    got = runner.output("use std.wrappers.{EpisodeStatistics, FrameStack, StickyActions, TimeLimit}" + COUNTER + """
use std.nn.Mlp
use std.algorithms.dqn
module Flat(n: int) {
  net = Mlp(2 * n, [4], 3)
  apply(x: f32[n, 2]) = net(reshape(x, [2 * n]))
}
E = FrameStack(EpisodeStatistics(TimeLimit(StickyActions(Counter(100)), 5)), 4)
run = dqn(E, Flat(4), 3, 200, 100, 8, 50, 10, 100)
print "episodes", sum(run.episodes)
print "length", run.states.inner.last_length[19]
print "shape", shape(run.states.seen)
""")
    agree(got["episodes"] + got["length"] + got["shape"], [40, 5, [20, 4, 2]])
    outcome = runner.outcome("use std.wrappers.FrameStack" + COUNTER + "E = FrameStack(Counter, 0)\ns ~ E.reset()\n(n, r, over, cut) = E.step(s, 1)\nprint E.observe(n)\n")
    if outcome.status != 1 or "at least one observation in a stack" not in outcome.stderr:
        raise AssertionError(f"a stack of none is taken:\n{outcome.stderr}")


class Moments:
    """Gymnasium's RunningMeanStd of one number."""

    def __init__(self):
        self.mean, self.var, self.count = 0.0, 1.0, 1e-4

    def merge(self, mean, var, n):
        gap, total = mean - self.mean, self.count + n
        second = self.var * self.count + var * n + gap**2 * self.count * n / total
        self.mean, self.var, self.count = self.mean + gap * n / total, second / total, total

    def normal(self, x):
        return (x - self.mean) / math.sqrt(self.var + 1e-8)


def normalization(runner):
    got = runner.output("use std.wrappers.{Autoreset, NormalizeObservations, NormalizeRewards, RunningMoments}" + COUNTER + """
index t in 0..20
E = NormalizeObservations(Autoreset(Counter))
s[0] ~ E.reset()
(s[t+1], r, ended, cut) = E.step(s, t % 3)
print "seen", E.observe(s)
print "final", E.final_observation(s[t+1])
R = NormalizeRewards(Autoreset(Counter), gamma = 0.9)
u[0] ~ R.reset()
(u[t+1], ru, over, out) = R.step(u, 1)
print "r", ru
index b in 0..5
x = sin(1.0 * t + 2.0 * b)
m[0] = RunningMoments.init(0.0)
m[t+1] = RunningMoments.merge(m, mean(x for b), var(x for b), 5)
print "batch", [m[20].mean, m[20].var, m[20].count]
tight = NormalizeObservations(Autoreset(Counter), limit = 0.5)
w[0] ~ tight.reset()
(w[t+1], rw, wt, wc) = tight.step(w, 1)
print "limited", max(abs(tight.observe(w)[k]) for t, k in 0..2), tight.observations.high
""")
    parts, obs, x, seen, final = (Moments(), Moments()), [], 0.25, [0.0, 0.25], []
    for k in range(2):
        parts[k].merge(seen[k], 0.0, 1)
    want = [[parts[k].normal(seen[k]) for k in range(2)]]
    n = 0
    for t in range(20):
        n, x = n + 1, x + t % 3
        end = [float(n), x]
        if n == 3:
            n, x = 0, 0.25
        seen = [float(n), x]
        for k in range(2):
            parts[k].merge(seen[k], 0.0, 1)
        want.append([parts[k].normal(seen[k]) for k in range(2)])
        final.append([parts[k].normal(end[k]) for k in range(2)])
    limit = lambda v: min(max(v, -10.0), 10.0)
    agree(got["seen"], [[limit(v) for v in w] for w in want[:20]], 1e-3, "observations")
    agree(got["final"], [[limit(v) for v in w] for w in final], 1e-3, "final observations")
    gains, total = Moments(), 0.0
    for t in range(20):
        reward = 2.0 + t % 3
        total = (0.0 if t % 3 == 2 else 0.9 * total) + reward
        gains.merge(total, 0.0, 1)
        agree(got["r"][t], limit(reward / math.sqrt(gains.var + 1e-8)), 1e-3, f"the reward at {t}")
    batch = Moments()
    for t in range(20):
        xs = [math.sin(t + 2 * b) for b in range(5)]
        mean = sum(xs) / 5
        batch.merge(mean, sum((v - mean) ** 2 for v in xs) / 5, 5)
    agree(got["batch"][0], [batch.mean, batch.var, batch.count], 1e-4, "merged batches")
    agree(got["limited"], [0.5, [0.5, 0.5]])


if __name__ == "__main__":
    main([time_limit, sticky, actions, autoreset, statistics, frame_stack, normalization])
