#!/usr/bin/env python3
"""examples/reinforce_cartpole.rl in PyTorch: the same environment, network, returns, baseline, optimizer and sizes.

All environments step together as one tensor. The rollout keeps no graph; the loss evaluates the policy once more, over all steps at
once, which is faster in PyTorch than keeping 500 small graphs. A rollout ends when no environment is left.
"""

import torch

import peer


@torch.no_grad()
def rollout(policy, envs, horizon):
    """Observations, actions and who was alive, each with the time step first."""
    state, alive = peer.cartpole_reset(envs), torch.ones(envs)
    observations, actions, lives = [], [], []
    for _ in range(horizon):
        action = peer.draw(policy(state))
        observations.append(state)
        actions.append(action)
        lives.append(alive)
        state, terminated = peer.cartpole_step(state, action)
        alive = alive * (~terminated)
        if not alive.any():
            break
    return torch.stack(observations), torch.stack(actions), torch.stack(lives)


def train(iterations, envs, horizon, gamma, lr):
    policy = peer.mlp([4, 64, 64, 2])
    optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
    returns = []
    for i in range(iterations):
        for group in optimizer.param_groups:
            group["lr"] = lr * (1.0 - i / iterations)
        observations, actions, alive = rollout(policy, envs, horizon)
        G = peer.discounted(alive, gamma)  # the reward is 1 for each step alive
        baseline = (G * alive).sum(1, keepdim=True) / alive.sum(1, keepdim=True).clamp(min=1.0)
        log_prob = torch.log_softmax(policy(observations), -1).gather(-1, actions.unsqueeze(-1)).squeeze(-1)
        loss = -(log_prob * (G - baseline) * alive).sum() / (envs * horizon)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        returns.append(alive.sum(0).mean().item())
    return returns


def main():
    o = peer.options(__doc__, iterations=200, envs=64, horizon=500, gamma=0.99, lr=1e-2)
    peer.measure(lambda: train(o.iterations, o.envs, o.horizon, o.gamma, o.lr), o.iterations, o.repeats)


if __name__ == "__main__":
    main()
