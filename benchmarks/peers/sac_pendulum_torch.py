#!/usr/bin/env python3
"""examples/sac_pendulum.rl in PyTorch: a step, a gradient step; the environment in plain Python floats, which is fastest for one."""

import copy
import math
import random

import torch

import peer


def pendulum_step(angle, spin, action):
    torque = max(-2.0, min(2.0, action))
    wrapped = (angle + math.pi) % (2.0 * math.pi) - math.pi
    cost = wrapped**2 + 0.1 * spin**2 + 0.001 * torque**2
    spin = max(-8.0, min(8.0, spin + (15.0 * math.sin(angle) + 3.0 * torque) * 0.05))
    return angle + spin * 0.05, spin, -cost


def act(actor, x):
    """A squashed normal action and its log-probability."""
    mean, log_std = actor(x).chunk(2, -1)
    scale = log_std.clamp(-20.0, 2.0).exp()
    y = mean + scale * torch.randn_like(mean)
    action = torch.tanh(y)
    log_p = -0.5 * ((y - mean) / scale) ** 2 - scale.log() - 0.5 * math.log(2.0 * math.pi) - torch.log(1.0 - action**2 + 1e-6)
    return action, log_p.sum(-1)


def train(o):
    relu = torch.nn.ReLU
    actor = peer.mlp([3, 256, 256, 2], relu)
    critics = torch.nn.ModuleList([peer.mlp([4, 256, 256, 1], relu), peer.mlp([4, 256, 256, 1], relu)])
    targets = copy.deepcopy(critics)
    log_alpha = torch.zeros((), requires_grad=True)
    optimizers = [torch.optim.Adam(p, lr=1e-3) for p in (critics.parameters(), actor.parameters(), [log_alpha])]
    buffer = {name: torch.empty(o.timesteps, width) for name, width in (("x", 3), ("a", 1), ("r", 1), ("after", 3))}
    angle, spin, age = random.uniform(-math.pi, math.pi), random.uniform(-1.0, 1.0), 0
    for n in range(o.timesteps):
        x = torch.tensor([math.cos(angle), math.sin(angle), spin])
        with torch.no_grad():
            action = torch.rand(1) * 2.0 - 1.0 if n < 100 else act(actor, x)[0]
        angle, spin, reward = pendulum_step(angle, spin, 2.0 * action.item())
        buffer["x"][n], buffer["a"][n], buffer["r"][n] = x, action, reward
        buffer["after"][n] = torch.tensor([math.cos(angle), math.sin(angle), spin])
        age += 1
        if age == 200:
            angle, spin, age = random.uniform(-math.pi, math.pi), random.uniform(-1.0, 1.0), 0
        if n < 100:
            continue
        j = torch.randint(n + 1, (256,))
        x, a, r, after = (buffer[name][j] for name in ("x", "a", "r", "after"))
        with torch.no_grad():
            next_action, next_log_p = act(actor, after)
            both = torch.cat((after, next_action), -1)
            soft = torch.minimum(targets[0](both), targets[1](both)).squeeze(-1) - log_alpha.exp() * next_log_p
            y = r.squeeze(-1) + 0.99 * soft  # a time limit is bootstrapped from, and nothing else ends an episode
        both = torch.cat((x, a), -1)
        q_loss = sum(((critic(both).squeeze(-1) - y) ** 2).mean() for critic in critics)
        optimizers[0].zero_grad()
        q_loss.backward()
        optimizers[0].step()
        new, log_p = act(actor, x)
        both = torch.cat((x, new), -1)
        a_loss = (log_alpha.exp().detach() * log_p - torch.minimum(critics[0](both), critics[1](both)).squeeze(-1)).mean()
        optimizers[1].zero_grad()
        a_loss.backward()
        optimizers[1].step()
        t_loss = -log_alpha * (log_p.detach().mean() - 1.0)
        optimizers[2].zero_grad()
        t_loss.backward()
        optimizers[2].step()
        with torch.no_grad():
            torch._foreach_mul_(list(targets.parameters()), 0.995)
            torch._foreach_add_(list(targets.parameters()), list(critics.parameters()), alpha=0.005)


def main():
    o = peer.options(__doc__, timesteps=1000)
    peer.measure(lambda: train(o), o.timesteps, o.repeats)


if __name__ == "__main__":
    main()
