#!/usr/bin/env python3
"""Value iteration against the values that Bellman's equation has in f64: of a small grid whose probabilities are written out, and of the four rooms,
whose probabilities the program takes from the environment's own steps."""

from testing import agree, literal, main

ROOMS = """
#############
#.....#.....#
#.....#.....#
#...........#
#.....#.....#
#.....#.....#
##.####.....#
#.....###.###
#.....#.....#
#.....#.....#
#...........#
#.....#.....#
#############""".split()
SMALL = ["..#.", ".#..", "...."]
WAYS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def landing(grid, cell, way):
    row, column = cell[0] + WAYS[way][0], cell[1] + WAYS[way][1]
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[0])
    return (row, column) if inside and grid[row][column] == "." else cell


def process(grid, goal, slip, cost):
    """Probabilities and mean rewards by cell and action: with probability slip the way is one of all four; at the goal nothing happens any more."""
    cells = [(row, column) for row in range(len(grid)) for column in range(len(grid[0]))]
    P, R = {}, {}
    for cell in cells:
        for action in range(4):
            next_of = P[cell, action] = {}
            R[cell, action] = 0.0
            if cell == goal or grid[cell[0]][cell[1]] == "#":
                next_of[cell] = 1.0
                continue
            for way in range(4):
                chance = (1 - slip) * (way == action) + slip / 4
                to = landing(grid, cell, way)
                next_of[to] = next_of.get(to, 0.0) + chance
                R[cell, action] += chance * (1.0 if to == goal else -cost)
    return cells, P, R


def optimum(cells, P, R, gamma):
    """V of Bellman's equation: sweeps in place, until none changes a value by more than 1e-13; then Q."""
    V = dict.fromkeys(cells, 0.0)
    q = lambda cell, action: R[cell, action] + gamma * sum(p * V[to] for to, p in P[cell, action].items())
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for cell in cells:
            best = max(q(cell, action) for action in range(4))
            change = max(change, abs(best - V[cell]))
            V[cell] = best
    return [V[cell] for cell in cells], [[q(cell, action) for action in range(4)] for cell in cells]


def check(got, V, Q):
    agree(got["V"][0], V, 1e-4, "V")
    agree(got["Q"][0], Q, 1e-4, "Q")
    for cell, action in enumerate(got["policy"][0]):
        agree(Q[cell][action], max(Q[cell]), 1e-4, f"the value of the policy's action in state {cell}")


def small_grid(runner):
    goal, gamma = (0, 3), 0.95
    for slip, cost in ((0.0, 0.0), (0.3, 0.1)):
        cells, P, R = process(SMALL, goal, slip, cost)
        table = [[[float(P[cell, action].get(to, 0.0)) for to in cells] for action in range(4)] for cell in cells]
        rewards = [[R[cell, action] for action in range(4)] for cell in cells]
        got = runner.output(f"""
use std.algorithms.tabular.value_iteration
run = value_iteration({literal(table)}, {literal(rewards)}, {gamma}, 400)
print "V", run.V
print "Q", run.Q
print "policy", run.policy
""")
        check(got, *optimum(cells, P, R, gamma))


def four_rooms(runner):
    slip, gamma, goal = 0.2, 0.95, (7, 9)
    got = runner.output(f"""
use std.envs.GridWorld
use std.algorithms.tabular.value_iteration
E = GridWorld()
index s in 0..169
index a in 0..4
index z in 0..169
cell[s]    = E.State(row = s // 13, column = s % 13, steps = 0)
(next, gained, over, cut) = E.step(cell, a)
stays[s]   = s == {13 * goal[0] + goal[1]} or E.observe(cell)[0, s // 13, s % 13] == 1.0
to[s, a]   = if stays then s else 13 * next.row + next.column
gain[s, a] = if stays then 0.0 else gained
P[s, a, z] = {1 - slip} * f32(to == z) + {slip} * mean(f32(to[s, k] == z) for k in 0..4)
R[s, a]    = {1 - slip} * gain + {slip} * mean(gain[s, k] for k in 0..4)
run = value_iteration(P[0..169, 0..4, 0..169], R[0..169, 0..4], {gamma}, 400)
print "V", run.V
print "Q", run.Q
print "policy", run.policy
""")
    check(got, *optimum(*process(ROOMS, goal, slip, 0.0), gamma))


def what_is_no_process(runner):
    source = "use std.algorithms.tabular.value_iteration\nprint value_iteration([[[{p}, 0.5], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]], [[0.0, 0.0], [0.0, 0.0]], 0.9, {sweeps}).V\n"
    for p, sweeps, words in ((0.4, 3, "probabilities sum to 1"), (0.5, 0, "sweeps is at least 1")):
        outcome = runner.outcome(source.format(p=p, sweeps=sweeps))
        if outcome.status == 0 or words not in outcome.stderr:
            raise AssertionError(f"p = {p}, {sweeps} sweeps: no error with `{words}`:\n{outcome.stderr}")


if __name__ == "__main__":
    main([small_grid, four_rooms, what_is_no_process])
