#!/usr/bin/env python3
"""Classic control: single transitions and whole trajectories against Gymnasium's equations in f64."""

import math
import random

from testing import agree, f32, literal, main, rounded, transitions

pi = math.pi


class CartPole:
    fields, use, limit = ("x", "v", "angle", "spin"), "std.envs.CartPole", 500

    def start(self, rng):
        return [rng.uniform(-0.05, 0.05) for _ in range(4)]

    def action(self, rng):
        return rng.randrange(2)

    def step(self, s, a):
        x, v, th, w = s
        force = 10.0 if a == 1 else -10.0
        total, ml = 1.1, 0.1 * 0.5
        temp = (force + ml * w * w * math.sin(th)) / total
        alpha = (9.8 * math.sin(th) - math.cos(th) * temp) / (0.5 * (4 / 3 - 0.1 * math.cos(th) ** 2 / total))
        acc = temp - ml * alpha * math.cos(th) / total
        s = [x + 0.02 * v, v + 0.02 * acc, th + 0.02 * w, w + 0.02 * alpha]
        over = abs(s[0]) > 2.4 or abs(s[2]) > 12 * 2 * pi / 360
        return s, 1.0, over

    def observe(self, s):
        return s


class Acrobot:
    fields, use, limit = ("angle1", "angle2", "spin1", "spin2"), "std.envs.Acrobot", 500

    def start(self, rng):
        return [rng.uniform(-0.1, 0.1) for _ in range(4)]

    def action(self, rng):
        return rng.randrange(3)

    def slopes(self, s, torque):
        m1 = m2 = l1 = I1 = I2 = 1.0
        lc1 = lc2 = 0.5
        g = 9.8
        t1, t2, w1, w2 = s
        d1 = m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * math.cos(t2)) + I1 + I2
        d2 = m2 * (lc2**2 + l1 * lc2 * math.cos(t2)) + I2
        phi2 = m2 * lc2 * g * math.cos(t1 + t2 - pi / 2)
        phi1 = (
            -m2 * l1 * lc2 * w2**2 * math.sin(t2)
            - 2 * m2 * l1 * lc2 * w2 * w1 * math.sin(t2)
            + (m1 * lc1 + m2 * l1) * g * math.cos(t1 - pi / 2)
            + phi2
        )
        a2 = (torque + d2 / d1 * phi1 - m2 * l1 * lc2 * w1**2 * math.sin(t2) - phi2) / (m2 * lc2**2 + I2 - d2**2 / d1)
        return [w1, w2, -(d2 * a2 + phi1) / d1, a2]

    def step(self, s, a):
        h, torque = 0.2, a - 1.0
        move = lambda k, c: [x + c * y for x, y in zip(s, k)]
        k1 = self.slopes(s, torque)
        k2 = self.slopes(move(k1, h / 2), torque)
        k3 = self.slopes(move(k2, h / 2), torque)
        k4 = self.slopes(move(k3, h), torque)
        n = [x + h / 6 * (p + 2 * q + 2 * r + u) for x, p, q, r, u in zip(s, k1, k2, k3, k4)]
        for i in (0, 1):
            while n[i] > pi:
                n[i] -= 2 * pi
            while n[i] < -pi:
                n[i] += 2 * pi
        n[2] = min(max(n[2], -4 * pi), 4 * pi)
        n[3] = min(max(n[3], -9 * pi), 9 * pi)
        over = -math.cos(n[0]) - math.cos(n[1] + n[0]) > 1.0
        return n, 0.0 if over else -1.0, over

    def observe(self, s):
        return [math.cos(s[0]), math.sin(s[0]), math.cos(s[1]), math.sin(s[1]), s[2], s[3]]


class MountainCar:
    fields, use, limit = ("x", "v"), "std.envs.MountainCar", 200

    def start(self, rng):
        return [rng.uniform(-0.6, -0.4), 0.0]

    def action(self, rng):
        return rng.randrange(3)

    def push(self, a):
        return (a - 1) * 0.001

    goal = 0.5

    def step(self, s, a):
        x, v = s
        v += self.push(a) - 0.0025 * math.cos(3 * x)
        v = min(max(v, -0.07), 0.07)
        x = min(max(x + v, -1.2), 0.6)
        if x == -1.2 and v < 0:
            v = 0.0
        over = x >= self.goal and v >= 0
        return [x, v], self.reward(a, over), over

    def reward(self, a, over):
        return -1.0

    def observe(self, s):
        return s


class MountainCarContinuous(MountainCar):
    use, limit, goal = "std.envs.MountainCarContinuous", 999, 0.45

    def action(self, rng):
        return [f32(rng.uniform(-1.5, 1.5))]

    def push(self, a):
        return min(max(a[0], -1.0), 1.0) * 0.0015

    def reward(self, a, over):
        return (100.0 if over else 0.0) - 0.1 * a[0] ** 2


class Pendulum:
    fields, use, limit = ("angle", "spin"), "std.envs.Pendulum", 200

    def start(self, rng):
        return [rng.uniform(-pi, pi), rng.uniform(-1.0, 1.0)]

    def action(self, rng):
        return [f32(rng.uniform(-3.0, 3.0))]

    def step(self, s, a):
        th, w = s
        u = min(max(a[0], -2.0), 2.0)
        cost = ((th + pi) % (2 * pi) - pi) ** 2 + 0.1 * w**2 + 0.001 * u**2
        w = min(max(w + (3 * 10.0 / 2 * math.sin(th) + 3.0 * u) * 0.05, -8.0), 8.0)
        return [th + w * 0.05, w], -cost, False

    def observe(self, s):
        return [math.cos(s[0]), math.sin(s[0]), s[1]]


def steps_of(env, count):
    """States and actions of episodes of random and of pushing actions, so that limits are met."""
    rng = random.Random(7)
    states, actions = [], []
    while len(states) < count:
        s, held = env.start(rng), env.action(rng)
        for t in range(120):
            if t % rng.choice((1, 7, 20)) == 0:
                held = env.action(rng)
            if t % 6 == 0:
                states.append(rounded(s))
                actions.append(held)
            s, _, over = env.step(s, held)
            if over:
                states.append(rounded(s))
                actions.append(held)
                break
    return states[:count], actions[:count]


def edges(env):
    """States at walls, at the speeds' limits, about the goal and beyond a full turn."""
    if isinstance(env, MountainCar):
        right = [1.0] if isinstance(env, MountainCarContinuous) else 2
        left = [-1.0] if isinstance(env, MountainCarContinuous) else 0
        return [[-1.19, -0.06], [-1.2, 0.0], [0.45, 0.069], [0.5, 0.05], [0.59, 0.07], [0.48, -0.01]], [left, left, right, right, right, left]
    if isinstance(env, Pendulum):
        return [[4.0, 7.9], [-9.0, -7.9], [3.2, 0.0], [0.0, 0.0]], [[2.0], [-2.0], [0.0], [5.0]]
    if isinstance(env, Acrobot):
        return [[3.1, 3.0, 12.0, 28.0], [-3.1, -3.0, -12.5, -28.0], [3.0, 0.1, 0.5, 0.2], [2.0, 0.5, 3.0, 1.0]], [2, 0, 1, 2]
    return [[2.39, 1.0, 0.0, 0.0], [-2.39, -1.0, 0.0, 0.0], [0.0, 0.0, 0.205, 1.0], [0.0, 0.0, -0.2, -0.1]], [1, 0, 1, 0]


def test_of(env):
    name = type(env).__name__

    def test(runner):
        states, actions = steps_of(env, 90)
        more, by = edges(env)
        states, actions = states + rounded(more), actions + by
        steps = [i % 300 for i in range(len(states) - 2)] + [env.limit - 2, env.limit - 1]
        records = [dict(zip(env.fields, map(float, s)), steps=n) for s, n in zip(states, steps)]
        got = transitions(runner, env.use, name, records, actions)
        ends = 0
        for i, (s, a, n) in enumerate(zip(states, actions, steps)):
            after, reward, over = env.step(s, a)
            ends += over
            where = f"{name} from {s} by {a}:"
            agree(got["next"][i], dict(zip(env.fields, after), steps=n + 1), 3e-5, where)
            agree(got["r"][i], reward, 1e-5, where + " reward")
            agree(got["terminated"][i], over, what=where + " terminated")
            agree(got["truncated"][i], n + 1 >= env.limit, what=where + " truncated")
            agree(got["seen"][i], env.observe(s), 1e-5, where + " observation")
        if ends == 0 and name != "Pendulum":
            raise AssertionError(f"no transition of {name} ended an episode: the test is too weak")

    def trajectory(runner):
        rng = random.Random(3)
        s = rounded(env.start(rng))
        actions = [env.action(rng) for _ in range(25)]
        first = ", ".join(f"{k} = {literal(float(v))}" for k, v in zip(env.fields, s))
        got = runner.output(f"""
use {env.use}
index t in 0..25
a[t] = {literal(actions)}[t]
s[0] = {name}.State({first}, steps = 0)
(s[t+1], r, terminated, truncated) = {name}.step(s, a)
print "s", s
print "r", r
""")
        for t, a in enumerate(actions):
            after, reward, _ = env.step(s, a)
            agree(got["s"][t + 1], dict(zip(env.fields, after), steps=t + 1), 2e-3, f"{name} at {t}")
            agree(got["r"][t], reward, 2e-3, f"{name}'s reward at {t}")
            s = after

    def reset(runner):
        rng = random.Random(5)
        got = runner.output(f"""
use {env.use}
index n in 0..2000
first[n] ~ {name}.reset()
print "first", first
print "space", [{name}.observations.low, {name}.observations.high]
""")
        low = [min(env.start(rng)[i] for _ in range(3000)) for i in range(len(env.fields))]
        high = [max(env.start(rng)[i] for _ in range(3000)) for i in range(len(env.fields))]
        for i, field in enumerate(env.fields):
            drawn = [s[field] for s in got["first"]]
            width = high[i] - low[i]
            if min(drawn) < low[i] - 0.01 * width or max(drawn) > high[i] + 0.01 * width:
                raise AssertionError(f"{name} starts with {field} in {min(drawn)} to {max(drawn)}")
            agree(sum(drawn) / len(drawn), (low[i] + high[i]) / 2, 0.03 * width + 1e-9, f"{name}'s mean {field}")
        for s in got["first"]:
            for v, low_, high_ in zip(env.observe([s[k] for k in env.fields]), *got["space"][0]):
                if not float(low_) - 1e-5 <= v <= float(high_) + 1e-5:
                    raise AssertionError(f"{name} observes {v}, outside of its space")

    test.__name__, trajectory.__name__, reset.__name__ = (f"{part}_{name}" for part in ("steps", "trajectory", "reset"))
    return [test, trajectory, reset]


def gradient_through_Pendulum(runner):
    """What the return gains by each torque, through all later steps: by central differences of the equations in f64."""
    env, rng = Pendulum(), random.Random(6)
    start, actions = [f32(2.5), f32(0.3)], [f32(rng.uniform(-1.5, 1.5)) for _ in range(20)]
    got = runner.output(f"""
use std.envs.Pendulum
index t in 0..20
torque[t] = {literal(actions)}[t]
s[0] = Pendulum.State(angle = {literal(start[0])}, spin = {literal(start[1])}, steps = 0)
(s[t+1], r, terminated, truncated) = Pendulum.step(s, [torque])
print "g", grad(sum(r for t), torque)
""")

    def total(torques):
        s, reward = start, 0.0
        for u in torques:
            s, r, _ = env.step(s, [u])
            reward += r
        return reward

    for t in range(20):
        shift = lambda by: actions[:t] + [actions[t] + by] + actions[t + 1:]
        agree(got["g"][t], (total(shift(1e-5)) - total(shift(-1e-5))) / 2e-5, 1e-3, f"the gradient at {t}")


if __name__ == "__main__":
    main([gradient_through_Pendulum] + [t for env in (CartPole(), Acrobot(), MountainCar(), MountainCarContinuous(), Pendulum()) for t in test_of(env)])
