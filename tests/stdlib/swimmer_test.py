#!/usr/bin/env python3
"""The swimmer against the same physics by another way: rods with positions and constraint forces, in f64."""

import math
import random

from testing import agree, f32, main, rounded, transitions

LENGTH, MASS, ACROSS, ALONG, DT = 0.5, 0.5, 10.0, 1.0, 0.04


def solve(A, b):
    """Gauss with pivots."""
    n = len(b)
    M = [list(row) + [v] for row, v in zip(A, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(M[r][k]))
        M[k], M[best] = M[best], M[k]
        for r in range(n):
            if r != k:
                factor = M[r][k] / M[k][k]
                M[r] = [x - factor * y for x, y in zip(M[r], M[k])]
    return [M[k][n] / M[k][k] for k in range(n)]


def accelerations(n, angle, spin, place, speed, torque, across, along):
    """Newton and Euler for each rod, with the joints' forces as unknowns: 3 n + 2 (n - 1) equations."""
    h, inertia = LENGTH / 2, MASS * LENGTH**2 / 12
    e = [(math.cos(t), math.sin(t)) for t in angle]
    m = [(-math.sin(t), math.cos(t)) for t in angle]
    size = 3 * n + 2 * (n - 1)
    A, b = [[0.0] * size for _ in range(size)], [0.0] * size
    joint = lambda k, axis: 3 * n + 2 * k + axis
    for i in range(n):
        vx, vy = speed[i]
        va, vl = vx * m[i][0] + vy * m[i][1], vx * e[i][0] + vy * e[i][1]
        for axis in range(2):
            row = 3 * i + axis
            A[row][row] = MASS
            b[row] = -LENGTH * (across * va * m[i][axis] + along * vl * e[i][axis])
            if i < n - 1:
                A[row][joint(i, axis)] = -1.0  # the next rod pulls with +f
            if i > 0:
                A[row][joint(i - 1, axis)] = 1.0
        row = 3 * i + 2
        A[row][row] = inertia
        b[row] = -across * LENGTH**3 / 12 * spin[i]
        b[row] += (torque[i - 1] if i > 0 else 0.0) - (torque[i] if i < n - 1 else 0.0)
        if i < n - 1:  # at +h e
            A[row][joint(i, 0)], A[row][joint(i, 1)] = h * e[i][1], -h * e[i][0]
        if i > 0:  # at -h e, with -f
            A[row][joint(i - 1, 0)], A[row][joint(i - 1, 1)] = h * e[i][1], -h * e[i][0]
    for k in range(n - 1):  # the ends stay together: p_k + h e_k = p_(k+1) - h e_(k+1), twice differentiated
        for axis in range(2):
            row = joint(k, axis)
            A[row][3 * k + axis], A[row][3 * (k + 1) + axis] = 1.0, -1.0
            A[row][3 * k + 2], A[row][3 * (k + 1) + 2] = h * m[k][axis], h * m[k + 1][axis]
            b[row] = h * (spin[k] ** 2 * e[k][axis] + spin[k + 1] ** 2 * e[k + 1][axis])
    x = solve(A, b)
    return [(x[3 * i], x[3 * i + 1]) for i in range(n)], [x[3 * i + 2] for i in range(n)]


def laid_out(n, angle, spin, place, speed):
    """The rods' centres and their speeds, from the centre of mass and the angles."""
    h = LENGTH / 2
    p, v = [(0.0, 0.0)], [(0.0, 0.0)]
    for i in range(1, n):
        step = [h * (math.cos(angle[i - 1]) + math.cos(angle[i])), h * (math.sin(angle[i - 1]) + math.sin(angle[i]))]
        rate = [-h * (spin[i - 1] * math.sin(angle[i - 1]) + spin[i] * math.sin(angle[i])),
                h * (spin[i - 1] * math.cos(angle[i - 1]) + spin[i] * math.cos(angle[i]))]
        p.append((p[-1][0] + step[0], p[-1][1] + step[1]))
        v.append((v[-1][0] + rate[0], v[-1][1] + rate[1]))
    shift = lambda rows, to: [tuple(r[a] - sum(q[a] for q in rows) / n + to[a] for a in range(2)) for r in rows]
    return shift(p, place), shift(v, speed)


def advance(n, state, torque, substeps, across, along):
    """Runge and Kutta's method on the same coordinates, whose accelerations the constrained rods give."""
    def slopes(y):
        place, speed, angle, spin = y[:2], y[2:4], y[4:4 + n], y[4 + n:]
        _, v = laid_out(n, angle, spin, place, speed)
        linear, angular = accelerations(n, angle, spin, place, v, torque, across, along)
        return speed + [sum(a[k] for a in linear) / n for k in range(2)] + spin + angular

    y, h = state["place"] + state["speed"] + state["angle"] + state["spin"], DT / substeps
    for _ in range(substeps):
        move = lambda k, c: [p + c * q for p, q in zip(y, k)]
        k1 = slopes(y)
        k2 = slopes(move(k1, h / 2))
        k3 = slopes(move(k2, h / 2))
        k4 = slopes(move(k3, h))
        y = [p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(y, k1, k2, k3, k4)]
    return dict(place=y[:2], speed=y[2:4], angle=y[4:4 + n], spin=y[4 + n:])


def swimmers(runner):
    rng = random.Random(9)
    for n, made, across, along in ((3, "Swimmer()", ACROSS, ALONG), (2, "Swimmer(2)", ACROSS, ALONG),
                                   (5, "Swimmer(5, across = 3.0, along = 2.0)", 3.0, 2.0)):
        numbers = lambda count, scale: [f32(rng.uniform(-scale, scale)) for _ in range(count)]
        states = [
            dict(place=numbers(2, 1), speed=numbers(2, 1), angle=numbers(n, 3), spin=numbers(n, 4), steps=k if k else 999)
            for k in range(12)
        ]
        actions = [numbers(n - 1, 1.5) for _ in states]
        got = transitions(runner, f"std.envs.Swimmer\nswimmer = {made}", "swimmer", states, actions)
        for i, (s, a) in enumerate(zip(states, actions)):
            after = advance(n, s, [min(max(x, -1.0), 1.0) for x in a], 4, across, along)
            agree(got["next"][i], dict(after, steps=s["steps"] + 1), 2e-4, f"{made} from {s} by {a}:")
            reward = (after["place"][0] - s["place"][0]) / DT - 1e-4 * sum(x * x for x in a)
            agree(got["r"][i], reward, 1e-3, f"{made}'s reward")
            agree([got["terminated"][i], got["truncated"][i]], [False, s["steps"] == 999])
            agree(got["seen"][i], [math.cos(t) for t in s["angle"]] + [math.sin(t) for t in s["angle"]] + s["spin"] + s["speed"])


def conserved(runner):
    """Without fluid and torque, momentum and kinetic energy stay what they are."""
    got = runner.output("""
use std.envs.Swimmer
free = Swimmer(3, across = 0.0, along = 0.0)
index t in 0..50
s[0] = free.State(place = [0.0, 0.0], speed = [0.3, -0.2], angle = [0.1, 1.0, -0.7], spin = [1.0, -2.0, 0.5], steps = 0)
(s[t+1], r, terminated, truncated) = free.step(s, [0.0, 0.0])
print "s", s
""")
    def energy(s):
        _, v = laid_out(3, s["angle"], s["spin"], s["place"], s["speed"])
        return sum(MASS / 2 * (x * x + y * y) for x, y in v) + sum(MASS * LENGTH**2 / 24 * w * w for w in s["spin"])

    first, last = got["s"][0], got["s"][50]
    agree(energy(last), energy(first), 1e-4, "the energy")
    agree(last["speed"], [0.3, -0.2], 1e-5, "the momentum")
    if abs(last["angle"][1] - first["angle"][1]) < 0.1:
        raise AssertionError("nothing moved")


def gradient(runner):
    """How far the swimmer gets, by the torques of its first step: through Runge and Kutta, the solver and the steps after."""
    rng = random.Random(2)
    first = dict(place=[0.0, 0.0], speed=[f32(0.1), f32(-0.2)], angle=[f32(v) for v in (0.3, -0.4, 0.2)],
                 spin=[f32(v) for v in (0.5, -1.0, 0.4)])
    actions = [[f32(rng.uniform(-0.8, 0.8)) for _ in range(2)] for _ in range(3)]
    state = ", ".join(f"{k} = {v}" for k, v in first.items())
    got = runner.output(f"""
use std.envs.Swimmer
index t in 0..3
a[t] = {actions}[t]
s[0] = Swimmer().State({state}, steps = 0)
(s[t+1], r, terminated, truncated) = Swimmer().step(s, a)
far = s[3].place[0]
print "g", grad(far, a)
""")

    def far(torques):
        s = first
        for torque in torques:
            s = advance(3, s, torque, 4, ACROSS, ALONG)
        return s["place"][0]

    for t in range(3):
        for k in range(2):
            shifted = lambda by: [[u + by if (i, j) == (t, k) else u for j, u in enumerate(row)] for i, row in enumerate(actions)]
            agree(got["g"][t][k], (far(shifted(1e-5)) - far(shifted(-1e-5))) / 2e-5, 1e-4, f"the gradient at {t}")


def solved(runner):
    rng = random.Random(4)
    A = [[f32(rng.uniform(-1, 1) + (3.0 if i == j else 0.0)) for j in range(4)] for i in range(4)]
    b = [f32(rng.uniform(-1, 1)) for _ in range(4)]
    got = runner.output(f"use std.linear.solved\nprint \"x\", solved({A}, {b})\n")
    agree(got["x"][0], solve(A, b), 1e-5)


if __name__ == "__main__":
    main([swimmers, conserved, gradient, solved])
