#!/usr/bin/env python3
"""benchmarks/workloads/ppo_trivial.rl in PyTorch: one epoch of one full batch, separate actor and critic, continuous action."""

import math

import torch

import peer


@torch.no_grad()
def rollout(actor, log_std, envs, steps, pixels):
    x = torch.rand(envs) * 2.0 - 1.0
    states, actions = [x], []
    scale = log_std.exp()
    for _ in range(steps):
        action = actor(x.unsqueeze(-1).expand(envs, pixels)) + scale * torch.randn(envs, 1)
        x = (x + 0.05 * action[:, 0].clamp(-1.0, 1.0)).clamp(-1.0, 1.0)
        states.append(x)
        actions.append(action)
    return torch.stack(states), torch.stack(actions)


def log_normal(x, mean, log_std):
    return -0.5 * ((x - mean) / log_std.exp()) ** 2 - log_std - 0.5 * math.log(2.0 * math.pi)


def train(o):
    hidden = [o.width] * o.layers
    actor = peer.mlp([o.pixels, *hidden, 1], last_gain=0.01)
    critic = peer.mlp([o.pixels, *hidden, 1])
    log_std = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.Adam([*actor.parameters(), log_std, *critic.parameters()], lr=o.lr)
    for _ in range(o.iterations):
        states, actions = rollout(actor, log_std, o.envs, o.steps, o.pixels)
        rewards = -states[1:].abs()
        images = states.unsqueeze(-1).expand(*states.shape, o.pixels)
        values = critic(images).squeeze(-1)
        fixed = values.detach()
        advantages = peer.discounted(rewards + o.gamma * fixed[1:] - fixed[:-1], o.gamma * o.lam)
        targets = advantages + fixed[:-1]
        log_p = log_normal(actions, actor(images[:-1]), log_std).sum(-1)
        ratio = (log_p - log_p.detach()).exp()
        surrogate = torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)
        entropy = (0.5 + 0.5 * math.log(2.0 * math.pi) + log_std).sum()
        loss = -surrogate.mean() + 0.5 * ((values[:-1] - targets) ** 2).mean() - 0.01 * entropy
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    o = peer.options(__doc__, iterations=8, envs=512, steps=250, pixels=48, width=64, layers=2, gamma=0.99, lam=0.95, lr=3e-4)
    peer.measure(lambda: train(o), o.iterations * o.envs * o.steps, o.repeats)


if __name__ == "__main__":
    main()
