#!/usr/bin/env python3
"""The boards and bandits of bsuite, the grid world and the drift: every state and action against the published rules."""

import itertools
import random

from testing import agree, f32, literal, main, transitions


def board(rows, columns, *cells):
    return [[1.0 if (r, c) in cells else 0.0 for c in range(columns)] for r in range(rows)]


def compare(runner, use, env, cases, args=()):
    """Cases: (state, action, next, reward, terminated, truncated, observation)."""
    got = transitions(runner, use, env, [c[0] for c in cases], [c[1] for c in cases], *args)
    for i, (state, action, after, reward, terminated, truncated, seen) in enumerate(cases):
        where = f"{env} from {state} by {action}:"
        agree(got["next"][i], after, what=where)
        agree(got["r"][i], reward, what=where + " reward")
        agree(got["terminated"][i], terminated, what=where + " terminated")
        agree(got["truncated"][i], truncated, what=where + " truncated")
        agree(got["seen"][i], seen, what=where + " observation")


def catch(runner):
    cases = []
    for x, y, p, a in itertools.product(range(5), (0, 4, 8), range(5), range(3)):
        moved = min(max(p + a - 1, 0), 4)
        over = y + 1 == 9
        reward = (1.0 if moved == x else -1.0) if over else 0.0
        cases.append(
            (dict(ball_x=x, ball_y=y, paddle=p), a, dict(ball_x=x, ball_y=y + 1, paddle=moved), reward, over, False,
             board(10, 5, (y, x), (9, p)))
        )
    compare(runner, "std.envs.Catch", "Catch", cases)
    got = runner.output("""
use std.envs.Catch
index n in 0..500
s[n] ~ Catch.reset()
print "columns", sort([mean(f32(s.ball_x == 0) for n), mean(f32(s.ball_x == 4) for n)])
print "rest", mean(f32(s.ball_y == 0 and s.paddle == 2) for n)
""")
    agree(got["columns"][0], [0.2, 0.2], 0.06, "the ball's column")
    agree(got["rest"][0], 1.0)


def deep_sea(runner):
    rng = random.Random(1)
    right = [[rng.randrange(2) for _ in range(4)] for _ in range(4)]
    cases = []
    for row, column, a in itertools.product(range(4), range(4), range(2)):
        goes = a == right[row][column]
        reward = (1.0 if goes and column == 3 else 0.0) - (0.01 / 4 if goes else 0.0)
        after = min(max(column + (1 if goes else -1), 0), 3)
        cases.append(
            (dict(row=row, column=column), a, dict(row=row + 1, column=after), reward, row + 1 == 4, False,
             board(4, 4, (row, column)))
        )
    source = "std.envs.DeepSea\nsea = DeepSea(4, " + literal(right) + ")"
    compare(runner, source, "sea", cases)
    got = runner.output("""
use std.envs.DeepSea
index n in 0..2000
sea = DeepSea(5, deterministic = false)
s[n] = sea.State(row = 4, column = if n % 2 == 0 then 2 else 4)
(next, r, terminated, truncated) = sea.step(s, 1)
print "moved", mean(f32(next.column - s.column) for n if n % 2 == 0)
print "plain", mean(r for n if n % 2 == 0), var(r for n if n % 2 == 0)
print "end", mean(r for n if n % 2 == 1), var(r for n if n % 2 == 1)
print "gone", sum(sea.observe(sea.State(row = 5, column = 1)))
""")
    agree(got["moved"], [0.8], 0.05, "a step to the right succeeds")
    agree(got["plain"], [-0.002, 0.0], 1e-5, "rewards on the way")
    agree(got["end"], [0.998, 1.0], 0.1, "rewards at the end")
    agree(got["gone"], [0.0])


def memory_chain(runner):
    cases = []
    for time, bits, query, a in itertools.product(range(5), itertools.product((0, 1), repeat=2), range(2), range(2)):
        shown = max(time - 1, 0)
        seen = [1 - shown / 4, float(query) if shown == 3 else 0.0]
        seen += [2.0 * b - 1 for b in bits] if shown == 0 else [0.0, 0.0]
        over = time + 1 > 4
        state = dict(time=time, context=list(bits), query=query)
        reward = (1.0 if bits[query] == a else -1.0) if over else 0.0
        cases.append((state, a, dict(state, time=time + 1), reward, over, False, seen))
    compare(runner, "std.envs.MemoryChain\nchain = MemoryChain(4, 2)", "chain", cases)
    got = runner.output("""
use std.envs.MemoryChain
index n in 0..1000
chain = MemoryChain(30, 3)
s[n] ~ chain.reset()
print "bits", mean(f32(s.context) for n)
print "query", [mean(f32(s.query == 0) for n), mean(f32(s.query == 2) for n)]
""")
    agree(got["bits"][0], [0.5] * 3, 0.06, "the bits")
    agree(got["query"][0], [1 / 3, 1 / 3], 0.06, "the query")


def bandit(runner):
    cases = [(dict(pulls=0), a, dict(pulls=1), a / 10, True, False, [1.0]) for a in range(11)]
    compare(runner, "std.envs.Bandit", "Bandit", cases)
    got = runner.output("""
use std.envs.Bandit
index n in 0..4000
noisy = Bandit(3, [5.0, -1.0, 2.0], noise = 0.5)
(next, r, terminated, truncated) = noisy.step(noisy.State(pulls = n), 1)
print "mean", mean(r for n)
print "std", std(r for n)
""")
    agree([got["mean"][0], got["std"][0]], [-1.0, 0.5], 0.03, "noisy rewards")


ROOMS = """
#############
#     #     #
#     #     #
#           #
#     #     #
#     #     #
## ####     #
#     ### ###
#     #     #
#     #     #
#           #
#     #     #
#############
""".split("\n")[1:-1]


def grid_world(runner):
    free = [(r, c) for r in range(13) for c in range(13) if ROOMS[r][c] == " "]
    walls = [[1.0 if ROOMS[r][c] == "#" else 0.0 for c in range(13)] for r in range(13)]
    cases = []
    for i, ((r, c), a) in enumerate(itertools.product(free[::4] + [(6, 9), (7, 8), (6, 2)], range(4))):
        dr, dc = ((-1, 0), (0, 1), (1, 0), (0, -1))[a]
        to = (r + dr, c + dc) if (r + dr, c + dc) in free else (r, c)
        steps = i if i % 9 else 499
        over = to == (7, 9)
        cases.append(
            (dict(row=r, column=c, steps=steps), a, dict(row=to[0], column=to[1], steps=steps + 1),
             1.0 if over else 0.0, over, steps == 499, [walls, board(13, 13, (r, c)), board(13, 13, (7, 9))])
        )
    compare(runner, "std.envs.GridWorld", "GridWorld", cases)
    got = runner.output("""
use std.envs.GridWorld
index n in 0..3000
world = GridWorld([[0, 1, 0], [0, 0, 0]], [0, 0], slip = 0.4)
s[n] ~ world.reset()
print "free", [mean(f32(s.row == 0 and s.column == 2) for n), mean(f32(s.row == 1) for n), mean(f32(s.column == 1) for n)]
(next, r, terminated, truncated) = world.step(world.State(row = 1, column = 1, steps = n), 1)
print "slip", [mean(f32(next.column == 2) for n), mean(f32(next.column == 0) for n)]
""")
    agree(got["free"][0], [0.25, 0.75, 0.25], 0.04, "where it starts")
    agree(got["slip"][0], [0.6 + 0.1, 0.1], 0.04, "where it slips")


def drift(runner):
    cases = []
    for i, (x, a) in enumerate(itertools.product([-1.0, -0.97, -0.5, 0.0, 0.3, 0.98, 1.0], [-3.0, -1.0, -0.2, 0.0, 0.6, 2.0])):
        x, a = f32(x), f32(a)
        to = min(max(x + 0.05 * min(max(a, -1.0), 1.0), -1.0), 1.0)
        steps = 249 if i % 5 == 0 else i
        cases.append((dict(x=x, steps=steps), [a], dict(x=to, steps=steps + 1), -abs(to), False, steps == 249, [[x] * 3] * 2))
    compare(runner, "std.envs.Drift\nsmall = Drift([2, 3])", "small", cases)


if __name__ == "__main__":
    main([catch, deep_sea, memory_chain, bandit, grid_world, drift])
