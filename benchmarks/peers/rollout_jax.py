#!/usr/bin/env python3
"""benchmarks/workloads/rollout_cartpole.rl in JAX; --policy 1 asks a network of 2x64."""

import jax
import jax.numpy as jnp

import peer_jax as peer


def rollout(o, key):
    first, network, rest = jax.random.split(key, 3)
    policy = peer.mlp(network, [4, 64, 64, 2]) if o.policy else None

    def step(carry, key):
        state, age, episodes = carry
        act, again = jax.random.split(key)
        if policy is None:
            action = jax.random.randint(act, (o.envs,), 0, 2)
        else:
            action = jax.random.categorical(act, peer.apply(policy, state.T))
        state, age, done, _, _ = peer.cartpole_autoreset(state, age, action, again)
        return (state, age, episodes + done.sum()), None

    start = (peer.cartpole_reset(first, o.envs), jnp.zeros(o.envs, jnp.int32), jnp.zeros((), jnp.int32))
    return jax.lax.scan(step, start, jax.random.split(rest, o.horizon))[0][2]


def main():
    o = peer.options(__doc__, envs=1024, horizon=500, policy=0)
    peer.measure(lambda key: rollout(o, key), o.envs * o.horizon, o)


if __name__ == "__main__":
    main()
