#!/usr/bin/env python3
"""benchmarks/workloads/reinforce.rl in JAX; --n 0 is the Monte Carlo return, otherwise n rewards are summed."""

import jax
import jax.numpy as jnp

import peer_jax as peer
from ppo_trivial_jax import images, rollout


def train(o, key):
    def loss(parameters, states, actions):
        G = peer.discounted(-jnp.abs(states[1:]), o.gamma)
        if o.n:  # a sum of n rewards is a difference of two whole returns
            G = G - o.gamma**o.n * jnp.concatenate((G[o.n :], jnp.zeros_like(G[: o.n])))
        mean = peer.apply(parameters["actor"], images(states[:-1], o.pixels))
        return -(peer.log_normal(actions, mean, parameters["log_std"]).sum(-1) * G).mean()

    def iteration(carry, key):
        parameters, moments = carry
        states, actions = rollout(parameters["actor"], parameters["log_std"], o.envs, o.steps, o.pixels, key)
        gradient = jax.grad(loss)(parameters, states, actions)
        return peer.adam(parameters, moments, gradient, o.lr), -jnp.abs(states[1:]).mean()

    first, rest = jax.random.split(key)
    parameters = {"actor": peer.mlp(first, [o.pixels, o.width, o.width, 1], 0.01), "log_std": jnp.zeros(1)}
    return jax.lax.scan(iteration, (parameters, peer.adam_start(parameters)), jax.random.split(rest, o.iterations))


def main():
    o = peer.options(__doc__, iterations=8, envs=256, steps=1000, n=0, pixels=48, width=64, gamma=0.99, lr=3e-4)
    peer.measure(lambda key: train(o, key), o.iterations * o.envs * o.steps, o)


if __name__ == "__main__":
    main()
