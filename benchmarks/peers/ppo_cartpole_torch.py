#!/usr/bin/env python3
"""examples/ppo_cartpole.rl in PyTorch: CleanRL's ppo.py, with the environments as one tensor instead of a list of Python objects."""

import torch

import peer


def train(o):
    actor, critic = peer.mlp([4, 64, 64, 2], last_gain=0.01), peer.mlp([4, 64, 64, 1])
    parameters = [*actor.parameters(), *critic.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=o.lr, eps=1e-5)
    batch, iterations = o.envs * o.steps, o.timesteps // (o.envs * o.steps)
    state, age = peer.cartpole_reset(o.envs), torch.zeros(o.envs, dtype=torch.int32)
    for i in range(iterations):
        optimizer.param_groups[0]["lr"] = o.lr * (1.0 - i / iterations)
        observations, actions = torch.empty(o.steps, o.envs, 4), torch.empty(o.steps, o.envs, dtype=torch.int64)
        log_probs, values, dones = torch.empty(o.steps, o.envs), torch.empty(o.steps + 1, o.envs), torch.empty(o.steps, o.envs)
        with torch.no_grad():
            for t in range(o.steps):
                logits = torch.log_softmax(actor(state), -1)
                action = peer.draw(logits)
                observations[t], actions[t], values[t] = state, action, critic(state).squeeze(-1)
                log_probs[t] = logits.gather(-1, action.unsqueeze(-1)).squeeze(-1)
                state, terminated = peer.cartpole_step(state, action)
                age += 1
                done = terminated | (age >= 500)
                dones[t] = done.float()
                state = torch.where(done.unsqueeze(-1), peer.cartpole_reset(o.envs), state)
                age = torch.where(done, 0, age)
            values[o.steps] = critic(state).squeeze(-1)
            advantages, following = torch.empty(o.steps, o.envs), torch.zeros(o.envs)
            for t in reversed(range(o.steps)):
                delta = 1.0 + o.gamma * values[t + 1] * (1.0 - dones[t]) - values[t]
                following = delta + o.gamma * 0.95 * (1.0 - dones[t]) * following
                advantages[t] = following
        x, a, old, v, adv = observations.view(-1, 4), actions.view(-1), log_probs.view(-1), values[:-1].reshape(-1), advantages.view(-1)
        targets = adv + v
        for _ in range(4):
            for j in torch.randperm(batch).chunk(4):
                logits = torch.log_softmax(actor(x[j]), -1)
                ratio = (logits.gather(-1, a[j].unsqueeze(-1)).squeeze(-1) - old[j]).exp()
                part = (adv[j] - adv[j].mean()) / (adv[j].std() + 1e-8)
                gain = torch.minimum(ratio * part, ratio.clamp(0.8, 1.2) * part).mean()
                new = critic(x[j]).squeeze(-1)
                near = v[j] + (new - v[j]).clamp(-0.2, 0.2)
                v_loss = 0.5 * torch.maximum((new - targets[j]) ** 2, (near - targets[j]) ** 2).mean()
                entropy = -(logits.exp() * logits).sum(-1).mean()
                optimizer.zero_grad()
                (-gain - 0.01 * entropy + 0.5 * v_loss).backward()
                torch.nn.utils.clip_grad_norm_(parameters, 0.5)
                optimizer.step()


def main():
    o = peer.options(__doc__, timesteps=20480, envs=4, steps=128, gamma=0.99, lr=2.5e-4)
    peer.measure(lambda: train(o), o.timesteps // (o.envs * o.steps) * o.envs * o.steps, o.repeats)


if __name__ == "__main__":
    main()
