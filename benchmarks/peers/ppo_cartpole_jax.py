#!/usr/bin/env python3
"""examples/ppo_cartpole.rl in JAX: CleanRL's ppo.py, with the environments as one array."""

import jax
import jax.numpy as jnp

import peer_jax as peer


def chosen(table, which):
    return jnp.take_along_axis(table, which[..., None], -1)[..., 0]


def train(o, key):
    batch, iterations = o.envs * o.steps, o.timesteps // (o.envs * o.steps)

    def loss(parameters, x, a, old, v, adv):
        logits = jax.nn.log_softmax(peer.apply(parameters["actor"], x))
        ratio = jnp.exp(chosen(logits, a) - old)
        part = (adv - adv.mean()) / (adv.std(ddof=1) + 1e-8)
        gain = jnp.minimum(ratio * part, jnp.clip(ratio, 0.8, 1.2) * part).mean()
        new, targets = peer.apply(parameters["critic"], x)[..., 0], adv + v
        near = v + jnp.clip(new - v, -0.2, 0.2)
        v_loss = 0.5 * jnp.maximum((new - targets) ** 2, (near - targets) ** 2).mean()
        entropy = -(jnp.exp(logits) * logits).sum(-1).mean()
        return -gain - 0.01 * entropy + 0.5 * v_loss

    def step(carry, key):
        parameters, state, age = carry
        act, again = jax.random.split(key)
        logits = jax.nn.log_softmax(peer.apply(parameters["actor"], state.T))
        action = jax.random.categorical(act, logits)
        value = peer.apply(parameters["critic"], state.T)[..., 0]
        following, age, done, _, _ = peer.cartpole_autoreset(state, age, action, again)
        return (parameters, following, age), (state.T, action, chosen(logits, action), value, done.astype(jnp.float32))

    def iteration(carry, at):
        parameters, moments, state, age = carry
        n, key = at
        lr = o.lr * (1.0 - n / iterations)
        act, shuffle = jax.random.split(key)
        (_, state, age), (x, a, old, v, done) = jax.lax.scan(step, (parameters, state, age), jax.random.split(act, o.steps))
        after = jnp.concatenate((v[1:], peer.apply(parameters["critic"], state.T)[None, ..., 0]))
        adv = peer.discounted(1.0 + o.gamma * after * (1.0 - done) - v, o.gamma * 0.95 * (1.0 - done))
        rows = (x.reshape(batch, 4), a.reshape(batch), old.reshape(batch), v.reshape(batch), adv.reshape(batch))

        def minibatch(carry, j):
            parameters, moments = carry
            gradient = jax.grad(loss)(parameters, *(row[j] for row in rows))
            norm = jnp.sqrt(sum((g * g).sum() for g in jax.tree_util.tree_leaves(gradient)))
            gradient = jax.tree_util.tree_map(lambda g: g * jnp.minimum(1.0, 0.5 / (norm + 1e-6)), gradient)
            return peer.adam(parameters, moments, gradient, lr, 1e-5), None

        def epoch(carry, key):
            return jax.lax.scan(minibatch, carry, jax.random.permutation(key, batch).reshape(4, batch // 4))

        (parameters, moments), _ = jax.lax.scan(epoch, (parameters, moments), jax.random.split(shuffle, 4))
        return (parameters, moments, state, age), done.sum()

    first, second, start, rest = jax.random.split(key, 4)
    parameters = {"actor": peer.mlp(first, [4, 64, 64, 2], 0.01), "critic": peer.mlp(second, [4, 64, 64, 1])}
    begin = (parameters, peer.adam_start(parameters), peer.cartpole_reset(start, o.envs), jnp.zeros(o.envs, jnp.int32))
    return jax.lax.scan(iteration, begin, (jnp.arange(iterations), jax.random.split(rest, iterations)))


def main():
    o = peer.options(__doc__, timesteps=20480, envs=4, steps=128, gamma=0.99, lr=2.5e-4)
    peer.measure(lambda key: train(o, key), o.timesteps // (o.envs * o.steps) * o.envs * o.steps, o)


if __name__ == "__main__":
    main()
