#!/usr/bin/env python3
"""benchmarks/workloads/ppo_trivial.rl in JAX: one epoch of one full batch, separate actor and critic, continuous action."""

import jax
import jax.numpy as jnp

import peer_jax as peer


def rollout(actor, log_std, envs, steps, pixels, key):
    """States, [steps + 1, envs], and actions, [steps, envs, 1]."""
    first, rest = jax.random.split(key)

    def step(x, key):
        mean = peer.apply(actor, jnp.broadcast_to(x[:, None], (envs, pixels)))
        action = mean + jnp.exp(log_std) * jax.random.normal(key, (envs, 1))
        return jnp.clip(x + 0.05 * jnp.clip(action[:, 0], -1.0, 1.0), -1.0, 1.0), (x, action)

    start = jax.random.uniform(first, (envs,), minval=-1.0, maxval=1.0)
    last, (states, actions) = jax.lax.scan(step, start, jax.random.split(rest, steps))
    return jnp.concatenate((states, last[None])), actions


def images(states, pixels):
    return jnp.broadcast_to(states[..., None], (*states.shape, pixels))


def train(o, key):
    def loss(parameters, states, actions):
        seen = images(states, o.pixels)
        values = peer.apply(parameters["critic"], seen)[..., 0]
        fixed = jax.lax.stop_gradient(values)
        advantages = peer.discounted(-jnp.abs(states[1:]) + o.gamma * fixed[1:] - fixed[:-1], o.gamma * o.lam)
        targets = advantages + fixed[:-1]
        log_std = parameters["log_std"]
        log_p = peer.log_normal(actions, peer.apply(parameters["actor"], seen[:-1]), log_std).sum(-1)
        ratio = jnp.exp(log_p - jax.lax.stop_gradient(log_p))
        surrogate = jnp.minimum(ratio * advantages, jnp.clip(ratio, 0.8, 1.2) * advantages)
        entropy = (0.5 + 0.5 * jnp.log(2.0 * jnp.pi) + log_std).sum()
        return -surrogate.mean() + 0.5 * ((values[:-1] - targets) ** 2).mean() - 0.01 * entropy

    def iteration(carry, key):
        parameters, moments = carry
        states, actions = rollout(parameters["actor"], parameters["log_std"], o.envs, o.steps, o.pixels, key)
        gradient = jax.grad(loss)(parameters, states, actions)
        return peer.adam(parameters, moments, gradient, o.lr), -jnp.abs(states[1:]).mean()

    first, second, rest = jax.random.split(key, 3)
    hidden = [o.width] * o.layers
    parameters = {"actor": peer.mlp(first, [o.pixels, *hidden, 1], 0.01), "log_std": jnp.zeros(1), "critic": peer.mlp(second, [o.pixels, *hidden, 1])}
    return jax.lax.scan(iteration, (parameters, peer.adam_start(parameters)), jax.random.split(rest, o.iterations))


def main():
    o = peer.options(__doc__, iterations=8, envs=512, steps=250, pixels=48, width=64, layers=2, gamma=0.99, lam=0.95, lr=3e-4)
    peer.measure(lambda key: train(o, key), o.iterations * o.envs * o.steps, o)


if __name__ == "__main__":
    main()
