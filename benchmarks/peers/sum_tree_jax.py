#!/usr/bin/env python3
"""benchmarks/workloads/sum_tree.rl in JAX: a K-ary sum tree, all of a batch at once."""

import jax
import jax.numpy as jnp

import peer_jax as peer


def start(leaves, fanout):
    """Levels from the leaves to the root, each padded to whole nodes."""
    levels = [jnp.pad(leaves, (0, -len(leaves) % fanout))]
    while len(levels[-1]) > fanout:
        sums = levels[-1].reshape(-1, fanout).sum(-1)
        levels.append(jnp.pad(sums, (0, -len(sums) % fanout)))
    return tuple(levels)


def update(levels, fanout, at, priorities):
    changed = [levels[0].at[at].set(priorities)]
    for level in levels[1:]:
        at = at // fanout
        changed.append(level.at[at].set(changed[-1].reshape(-1, fanout)[at].sum(-1)))
    return tuple(changed)


def total(levels):
    return levels[-1].sum()


def sample(levels, fanout, key, count):
    left = (jnp.arange(count) + jax.random.uniform(key, (count,))) / count * total(levels)
    at = jnp.zeros(count, jnp.int32)
    for level in reversed(levels):
        children = level.reshape(-1, fanout)[at]
        sums = jnp.cumsum(children, -1)
        child = jnp.minimum((sums <= left[:, None]).sum(-1), fanout - 1)
        below = jnp.take_along_axis(sums - children, child[:, None], -1)[:, 0]
        left, at = left - below, at * fanout + child
    return at


def run(o, key):
    def step(levels, at):
        n, key = at
        draw, new = jax.random.split(key)
        drawn = jnp.minimum(sample(levels, o.fanout, draw, o.batch), o.capacity - 1)
        levels = update(levels, o.fanout, jnp.full(1, n % o.capacity), 1.0)
        levels = update(levels, o.fanout, drawn, jax.random.uniform(new, (o.batch,), minval=0.001, maxval=1.0))
        return levels, None

    levels = start(jnp.ones(o.capacity), o.fanout)
    return total(jax.lax.scan(step, levels, (jnp.arange(o.steps), jax.random.split(key, o.steps)))[0])


def main():
    o = peer.options(__doc__, capacity=1000000, batch=256, fanout=16, steps=2000)
    peer.measure(lambda key: run(o, key), o.steps * o.batch, o)


if __name__ == "__main__":
    main()
