#!/usr/bin/env python3
"""CartPole-v1 in PyTorch, all environments as one tensor, each starting again when it ends; --policy 1 asks a network of 2x64."""

import torch

import peer


@torch.no_grad()
def rollout(envs, horizon, policy):
    state, steps = peer.cartpole_reset(envs), torch.zeros(envs, dtype=torch.int32)
    episodes = torch.zeros((), dtype=torch.int64)
    for _ in range(horizon):
        action = peer.draw(policy(state)) if policy else torch.randint(2, (envs,))
        state, terminated = peer.cartpole_step(state, action)
        steps += 1
        ended = terminated | (steps >= 500)
        episodes += ended.sum()
        state = torch.where(ended.unsqueeze(-1), peer.cartpole_reset(envs), state)
        steps = torch.where(ended, 0, steps)
    return episodes


def main():
    o = peer.options(__doc__, envs=1024, horizon=500, policy=0)
    policy = peer.mlp([4, 64, 64, 2]) if o.policy else None
    peer.measure(lambda: rollout(o.envs, o.horizon, policy), o.envs * o.horizon, o.repeats)


if __name__ == "__main__":
    main()
