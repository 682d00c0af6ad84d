#!/usr/bin/env python3
"""examples/dqn_cartpole.rl in PyTorch: ten steps of one environment, then an update; --prioritized 1 draws by priority."""

import copy
import math
import random

import torch

import peer
from sum_tree_torch import SumTree


def cartpole_step(x, v, angle, spin, action):
    """peer.cartpole_step in plain Python floats, which is fastest for one environment."""
    sine, cosine = math.sin(angle), math.cos(angle)
    thrust = ((10.0 if action == 1 else -10.0) + 0.05 * spin * spin * sine) / 1.1
    angular = (9.8 * sine - cosine * thrust) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    acceleration = thrust - 0.05 * angular * cosine / 1.1
    return x + 0.02 * v, v + 0.02 * acceleration, angle + 0.02 * spin, spin + 0.02 * angular


def train(o):
    network = peer.mlp([4, 120, 84, 2], torch.nn.ReLU)
    target = copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=2.5e-4)
    tree = SumTree(torch.zeros(o.capacity), 16) if o.prioritized else None
    buffer = peer.Buffer(o.capacity, x=4, a=1, r=1, after=4, alive=1)
    start = lambda: tuple(random.uniform(-0.05, 0.05) for _ in range(4))
    state, age = start(), 0
    for n in range(o.timesteps):
        x = torch.tensor(state)
        if random.random() < max(0.05, 1.0 - 0.95 * n / (0.5 * o.timesteps)):
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = network(x).argmax().item()
        state, age = cartpole_step(*state, action), age + 1
        terminated = abs(state[0]) > 2.4 or abs(state[2]) > 0.20943951023931953
        buffer.insert(n, x=x, a=action, r=1.0, after=torch.tensor(state), alive=float(not terminated))
        if tree:
            tree.update(torch.tensor([n % o.capacity]), 1.0)
        if terminated or age == 500:
            state, age = start(), 0
        if n < o.starts or n % 10 != 0:
            continue
        have, weights = min(n + 1, o.capacity), 1.0
        if tree:
            rows = tree.sample(o.batch).clamp(max=have - 1)
            weights = (have * tree.levels[0][rows] / tree.total()) ** -(0.4 + 0.6 * n / o.timesteps)
            weights = (weights / weights.max()).unsqueeze(-1)
        else:
            rows = torch.randint(have, (o.batch,))
        x, a, r, after, alive = buffer.rows(rows)
        with torch.no_grad():
            y = r + 0.99 * alive * target(after).amax(-1, keepdim=True)
        error = network(x).gather(-1, a.long()) - y
        peer.descend(optimizer, (weights * error**2).mean())
        if tree:
            tree.update(rows, (error.detach().squeeze(-1).abs() + 1e-6) ** 0.6)
        if n % 500 == 0:
            target.load_state_dict(network.state_dict())


def main():
    o = peer.options(__doc__, timesteps=20000, starts=1000, capacity=10000, batch=128, prioritized=0)
    peer.measure(lambda: train(o), o.timesteps, o.repeats)


if __name__ == "__main__":
    main()
