#!/usr/bin/env python3
"""examples/td3_pendulum.rl in JAX, or, with --ddpg 1, examples/ddpg_pendulum.rl: a step, a gradient step."""

import jax
import jax.numpy as jnp

import peer_jax as peer


def train(o, key):
    count, frequency, noise = (1, 1, 0.0) if o.ddpg else (2, 2, 0.2)

    def act(actor, x):
        return jnp.tanh(peer.apply(actor, x, jax.nn.relu))

    def a_loss(actor, critics, x):
        return -peer.values(critics[:1], x, act(actor, x)).mean()

    def improve(nets, moments, x):
        actor, of_actor = peer.adam(nets["actor"], moments["actor"], jax.grad(a_loss)(nets["actor"], nets["critics"], x), 1e-3)
        slow = peer.polyak(nets["slow"], {"actor": actor, "critics": nets["critics"]}, 0.005)
        return {**nets, "actor": actor, "slow": slow}, {**moments, "actor": of_actor}

    def learn(nets, moments, buffer, n, key):
        draw, smooth = jax.random.split(key)
        x, a, r, after = (column[jax.random.randint(draw, (o.batch,), 0, n + 1)] for column in buffer)
        action = act(nets["slow"]["actor"], after) + jnp.clip(noise * jax.random.normal(smooth, a.shape), -0.5, 0.5)
        y = r + o.gamma * peer.values(nets["slow"]["critics"], after, jnp.clip(action, -1.0, 1.0)).min(0)  # a time limit is bootstrapped from
        critics, of_critics = peer.adam(nets["critics"], moments["critics"], jax.grad(peer.q_loss)(nets["critics"], x, a, y), 1e-3)
        nets, moments = {**nets, "critics": critics}, {**moments, "critics": of_critics}
        return jax.lax.cond(n % frequency == 0, lambda: improve(nets, moments, x), lambda: (nets, moments))

    def step(carry, at):
        nets, moments, pendulum, buffer = carry
        n, key = at
        either, explore, again, update = jax.random.split(key, 4)
        x = peer.pendulum_observe(pendulum)
        best = jnp.clip(act(nets["actor"], x) + 0.1 * jax.random.normal(explore, (1,)), -1.0, 1.0)
        action = jnp.where(n < o.starts, jax.random.uniform(either, (1,), minval=-1.0, maxval=1.0), best)
        reward, last, pendulum = peer.pendulum_step(pendulum, 2.0 * action[0], again)
        buffer = tuple(column.at[n].set(value) for column, value in zip(buffer, (x, action, reward, last)))
        nets, moments = jax.lax.cond(n >= o.starts, lambda: learn(nets, moments, buffer, n, update), lambda: (nets, moments))
        return (nets, moments, pendulum, buffer), reward

    first, second, third, start, rest = jax.random.split(key, 5)
    sizes = [o.wide, o.narrow, 1]
    actor, critics = peer.mlp(third, [3, *sizes]), [peer.mlp(k, [4, *sizes]) for k in (first, second)[:count]]
    nets = {"actor": actor, "critics": critics, "slow": {"actor": actor, "critics": critics}}
    moments = {name: peer.adam_start(nets[name]) for name in ("actor", "critics")}
    begin = (nets, moments, peer.pendulum_reset(start), peer.buffer(o.timesteps, x=3, a=1, r=None, after=3))
    return jax.lax.scan(step, begin, (jnp.arange(o.timesteps), jax.random.split(rest, o.timesteps)))[1]


def main():
    o = peer.options(__doc__, timesteps=600, starts=300, batch=256, gamma=0.98, wide=400, narrow=300, ddpg=0)
    peer.measure(lambda key: train(o, key), o.timesteps, o)


if __name__ == "__main__":
    main()
