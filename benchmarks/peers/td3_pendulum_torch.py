#!/usr/bin/env python3
"""examples/td3_pendulum.rl in PyTorch, or, with --ddpg 1, examples/ddpg_pendulum.rl: a step, a gradient step."""

import copy

import torch

import peer


def train(o):
    relu = torch.nn.ReLU
    count, frequency, noise = (1, 1, 0.0) if o.ddpg else (2, 2, 0.2)
    actor = torch.nn.Sequential(peer.mlp([3, o.wide, o.narrow, 1], relu), torch.nn.Tanh())
    critics = torch.nn.ModuleList([peer.mlp([4, o.wide, o.narrow, 1], relu) for _ in range(count)])
    slow_actor, slow_critics = copy.deepcopy(actor), copy.deepcopy(critics)
    q_optimizer, w_optimizer = (torch.optim.Adam(p.parameters(), lr=1e-3) for p in (critics, actor))
    weights = [*critics.parameters(), *actor.parameters()]
    slow = [*slow_critics.parameters(), *slow_actor.parameters()]
    buffer = peer.Buffer(o.timesteps, x=3, a=1, r=1, after=3)
    pendulum = peer.Pendulum()
    for n in range(o.timesteps):
        x = pendulum.observe()
        with torch.no_grad():
            action = torch.rand(1) * 2.0 - 1.0 if n < o.starts else (actor(x) + 0.1 * torch.randn(1)).clamp(-1.0, 1.0)
        reward, after = pendulum.step(2.0 * action.item())
        buffer.insert(n, x=x, a=action, r=reward, after=after)
        if n < o.starts:
            continue
        x, a, r, after = buffer.sample(n + 1, 256)
        with torch.no_grad():
            smooth = (noise * torch.randn_like(a)).clamp(-0.5, 0.5)
            both = torch.cat((after, (slow_actor(after) + smooth).clamp(-1.0, 1.0)), -1)
            y = r + o.gamma * torch.stack([critic(both) for critic in slow_critics]).amin(0)  # a time limit is bootstrapped from
        both = torch.cat((x, a), -1)
        peer.descend(q_optimizer, sum(((critic(both) - y) ** 2).mean() for critic in critics))
        if n % frequency == 0:
            peer.descend(w_optimizer, -critics[0](torch.cat((x, actor(x)), -1)).mean())
            peer.polyak(slow, weights, 0.005)


def main():
    o = peer.options(__doc__, timesteps=600, starts=300, gamma=0.98, wide=400, narrow=300, ddpg=0)
    peer.measure(lambda: train(o), o.timesteps, o.repeats)


if __name__ == "__main__":
    main()
