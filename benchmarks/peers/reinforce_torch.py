#!/usr/bin/env python3
"""benchmarks/workloads/reinforce.rl in PyTorch; --n 0 is the Monte Carlo return, otherwise n rewards are summed."""

import torch

import peer
from ppo_trivial_torch import log_normal, rollout


def train(o):
    actor = peer.mlp([o.pixels, o.width, o.width, 1], last_gain=0.01)
    log_std = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.Adam([*actor.parameters(), log_std], lr=o.lr)
    for _ in range(o.iterations):
        states, actions = rollout(actor, log_std, o.envs, o.steps, o.pixels)
        rewards = -states[1:].abs()
        G = peer.discounted(rewards, o.gamma)
        if o.n:  # a sum of n rewards is a difference of two whole returns
            G = G - o.gamma ** o.n * torch.cat((G[o.n:], torch.zeros_like(G[:o.n])))
        log_p = log_normal(actions, actor(states[:-1].unsqueeze(-1).expand(o.steps, o.envs, o.pixels)), log_std).sum(-1)
        loss = -(log_p * G).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    o = peer.options(__doc__, iterations=8, envs=256, steps=1000, n=0, pixels=48, width=64, gamma=0.99, lr=3e-4)
    peer.measure(lambda: train(o), o.iterations * o.envs * o.steps, o.repeats)


if __name__ == "__main__":
    main()
