#!/usr/bin/env python3
"""examples/dqn_cartpole.rl in JAX: ten steps of one environment, then an update; --prioritized 1 draws by priority."""

import jax
import jax.numpy as jnp

import peer_jax as peer
import sum_tree_jax as tree

FANOUT, ALPHA = 16, 0.6


def train(o, key):
    rounds, filled = o.timesteps // 10, o.starts // 10

    def loss(network, target, rows, weights):
        x, a, r, after, alive = rows
        y = r + 0.99 * alive * jax.lax.stop_gradient(peer.apply(target, after, jax.nn.relu)).max(-1)
        error = jnp.take_along_axis(peer.apply(network, x, jax.nn.relu), a[:, None], -1)[:, 0] - y
        return (weights * error**2).mean(), error

    def step(carry, at):
        network, state, age, buffer = carry
        n, key = at
        explore, either, again = jax.random.split(key, 3)
        greedy = peer.apply(network, state.T, jax.nn.relu).argmax(-1)
        epsilon = jnp.maximum(0.05, 1.0 - 0.95 * n / (0.5 * o.timesteps))
        action = jnp.where(jax.random.uniform(explore, (1,)) < epsilon, jax.random.randint(either, (1,), 0, 2), greedy)
        following, age, _, terminated, last = peer.cartpole_autoreset(state, age, action, again)
        row = (state[:, 0], action[0], 1.0, last[:, 0], 1.0 - terminated[0])
        buffer = tuple(column.at[n % o.capacity].set(value) for column, value in zip(buffer, row))
        return (network, following, age, buffer), None

    def learn(network, target, moments, buffer, levels, n, key):
        have = jnp.minimum(n, o.capacity)
        if o.prioritized:
            j = jnp.minimum(tree.sample(levels, FANOUT, key, o.batch), have - 1)
            share = (have * levels[0][j] / tree.total(levels)) ** -(0.4 + 0.6 * n / o.timesteps)
            weights = share / share.max()
        else:
            j, weights = jax.random.randint(key, (o.batch,), 0, have), 1.0
        gradient, error = jax.grad(loss, has_aux=True)(network, target, tuple(column[j] for column in buffer), weights)
        if o.prioritized:
            levels = tree.update(levels, FANOUT, j, (jnp.abs(error) + 1e-6) ** ALPHA)
        return (*peer.adam(network, moments, gradient, 2.5e-4), levels)

    def one_round(carry, at):
        network, target, moments, state, age, buffer, levels = carry
        v, key = at
        act, draw = jax.random.split(key)
        (_, state, age, buffer), _ = jax.lax.scan(step, (network, state, age, buffer), (10 * v + jnp.arange(10), jax.random.split(act, 10)))
        if o.prioritized:
            levels = tree.update(levels, FANOUT, (10 * v + jnp.arange(10)) % o.capacity, 1.0)
        network, moments, levels = jax.lax.cond(
            v >= filled, lambda: learn(network, target, moments, buffer, levels, 10 * v + 10, draw), lambda: (network, moments, levels))
        target = jax.tree_util.tree_map(lambda t, w: jnp.where(v % 50 == 0, w, t), target, network)
        return (network, target, moments, state, age, buffer, levels), None

    first, start, rest = jax.random.split(key, 3)
    network = peer.mlp(first, [4, 120, 84, 2])
    buffer = (jnp.zeros((o.capacity, 4)), jnp.zeros(o.capacity, jnp.int32), jnp.zeros(o.capacity), jnp.zeros((o.capacity, 4)), jnp.zeros(o.capacity))
    levels = tree.start(jnp.zeros(o.capacity if o.prioritized else 1), FANOUT)
    begin = (network, network, peer.adam_start(network), peer.cartpole_reset(start, 1), jnp.zeros(1, jnp.int32), buffer, levels)
    return jax.lax.scan(one_round, begin, (jnp.arange(rounds), jax.random.split(rest, rounds)))[0][0]


def main():
    o = peer.options(__doc__, timesteps=20000, starts=1000, capacity=10000, batch=128, prioritized=0)
    peer.measure(lambda key: train(o, key), o.timesteps, o)


if __name__ == "__main__":
    main()
