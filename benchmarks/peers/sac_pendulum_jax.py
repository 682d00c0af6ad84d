#!/usr/bin/env python3
"""examples/sac_pendulum.rl in JAX: a step, a gradient step."""

import jax
import jax.numpy as jnp

import peer_jax as peer


def act(actor, x, key):
    """A squashed normal action and its log-probability."""
    mean, log_std = jnp.split(peer.apply(actor, x, jax.nn.relu), 2, -1)
    log_std = jnp.clip(log_std, -20.0, 2.0)
    y = mean + jnp.exp(log_std) * jax.random.normal(key, mean.shape)
    action = jnp.tanh(y)
    return action, (peer.log_normal(y, mean, log_std) - jnp.log(1.0 - action**2 + 1e-6)).sum(-1)


def train(o, key):
    def a_loss(actor, critics, alpha, x, key):
        action, log_p = act(actor, x, key)
        return (alpha * log_p - peer.values(critics, x, action).min(0)).mean(), log_p

    def learn(nets, moments, buffer, filled, key):
        draw, following, new = jax.random.split(key, 3)
        x, a, r, after = (column[jax.random.randint(draw, (o.batch,), 0, filled)] for column in buffer)
        alpha = jnp.exp(nets["log_alpha"])
        action, log_p = act(nets["actor"], after, following)
        y = r + 0.99 * (peer.values(nets["targets"], after, action).min(0) - alpha * log_p)  # a time limit is bootstrapped from
        critics, of_critics = peer.adam(nets["critics"], moments["critics"], jax.grad(peer.q_loss)(nets["critics"], x, a, y), 1e-3)
        gradient, log_p = jax.grad(a_loss, has_aux=True)(nets["actor"], critics, alpha, x, new)
        actor, of_actor = peer.adam(nets["actor"], moments["actor"], gradient, 1e-3)
        log_alpha, of_alpha = peer.adam(nets["log_alpha"], moments["log_alpha"], 1.0 - log_p.mean(), 1e-3)
        return ({"actor": actor, "critics": critics, "log_alpha": log_alpha, "targets": peer.polyak(nets["targets"], critics, 0.005)},
                {"actor": of_actor, "critics": of_critics, "log_alpha": of_alpha})

    def step(carry, at):
        nets, moments, pendulum, buffer = carry
        n, key = at
        either, noise, again, update = jax.random.split(key, 4)
        x = peer.pendulum_observe(pendulum)
        action = jnp.where(n < o.starts, jax.random.uniform(either, (1,), minval=-1.0, maxval=1.0), act(nets["actor"], x, noise)[0])
        reward, last, pendulum = peer.pendulum_step(pendulum, 2.0 * action[0], again)
        buffer = tuple(column.at[n].set(value) for column, value in zip(buffer, (x, action, reward, last)))
        nets, moments = jax.lax.cond(
            n >= o.starts, lambda: learn(nets, moments, buffer, n + 1, update), lambda: (nets, moments))
        return (nets, moments, pendulum, buffer), reward

    first, second, third, start, rest = jax.random.split(key, 5)
    critics = [peer.mlp(k, [4, 256, 256, 1]) for k in (first, second)]
    nets = {"actor": peer.mlp(third, [3, 256, 256, 2]), "critics": critics, "log_alpha": jnp.zeros(()), "targets": critics}
    moments = {name: peer.adam_start(nets[name]) for name in ("actor", "critics", "log_alpha")}
    begin = (nets, moments, peer.pendulum_reset(start), peer.buffer(o.timesteps, x=3, a=1, r=None, after=3))
    return jax.lax.scan(step, begin, (jnp.arange(o.timesteps), jax.random.split(rest, o.timesteps)))[1]


def main():
    o = peer.options(__doc__, timesteps=1000, starts=256, batch=256)
    peer.measure(lambda key: train(o, key), o.timesteps, o)


if __name__ == "__main__":
    main()
