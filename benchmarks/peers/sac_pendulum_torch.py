#!/usr/bin/env python3
"""examples/sac_pendulum.rl in PyTorch: a step, a gradient step."""

import copy
import math

import torch

import peer


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
    buffer = peer.Buffer(o.timesteps, x=3, a=1, r=1, after=3)
    pendulum = peer.Pendulum()
    for n in range(o.timesteps):
        x = pendulum.observe()
        with torch.no_grad():
            action = torch.rand(1) * 2.0 - 1.0 if n < o.starts else act(actor, x)[0]
        reward, after = pendulum.step(2.0 * action.item())
        buffer.insert(n, x=x, a=action, r=reward, after=after)
        if n < o.starts:
            continue
        x, a, r, after = buffer.sample(n + 1, 256)
        with torch.no_grad():
            next_action, next_log_p = act(actor, after)
            both = torch.cat((after, next_action), -1)
            soft = torch.minimum(targets[0](both), targets[1](both)).squeeze(-1) - log_alpha.exp() * next_log_p
            y = r.squeeze(-1) + 0.99 * soft  # a time limit is bootstrapped from, and nothing else ends an episode
        both = torch.cat((x, a), -1)
        q_loss = sum(((critic(both).squeeze(-1) - y) ** 2).mean() for critic in critics)
        peer.descend(optimizers[0], q_loss)
        new, log_p = act(actor, x)
        both = torch.cat((x, new), -1)
        a_loss = (log_alpha.exp().detach() * log_p - torch.minimum(critics[0](both), critics[1](both)).squeeze(-1)).mean()
        peer.descend(optimizers[1], a_loss)
        t_loss = -log_alpha * (log_p.detach().mean() - 1.0)
        peer.descend(optimizers[2], t_loss)
        peer.polyak(list(targets.parameters()), list(critics.parameters()), 0.005)


def main():
    o = peer.options(__doc__, timesteps=1000, starts=256)
    peer.measure(lambda: train(o), o.timesteps, o.repeats)


if __name__ == "__main__":
    main()
