#!/usr/bin/env python3
"""benchmarks/workloads/rollout_cartpole.rl in JAX: all environments and steps in one compiled program, on the device that JAX chooses."""

import argparse
import json
import statistics
import time

import jax
import jax.numpy as jnp


def reset(key, envs):
    return jax.random.uniform(key, (4, envs), minval=-0.05, maxval=0.05)


def step(state, action):
    x, v, angle, spin = state
    push = jnp.where(action == 1, 10.0, -10.0)
    sine, cosine = jnp.sin(angle), jnp.cos(angle)
    thrust = (push + 0.05 * spin * spin * sine) / 1.1
    angular = (9.8 * sine - cosine * thrust) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    acceleration = thrust - 0.05 * angular * cosine / 1.1
    state = jnp.stack((x + 0.02 * v, v + 0.02 * acceleration, angle + 0.02 * spin, spin + 0.02 * angular))
    return state, (jnp.abs(state[0]) > 2.4) | (jnp.abs(state[2]) > 0.20943951023931953)


def rollout(envs, horizon, key):
    def body(carry, key):
        state, steps, episodes = carry
        act, again = jax.random.split(key)
        state, terminated = step(state, jax.random.randint(act, (envs,), 0, 2))
        steps = steps + 1
        ended = terminated | (steps >= 500)
        state = jnp.where(ended, reset(again, envs), state)
        return (state, jnp.where(ended, 0, steps), episodes + ended.sum()), None

    first, rest = jax.random.split(key)
    start = (reset(first, envs), jnp.zeros(envs, jnp.int32), jnp.zeros((), jnp.int32))
    return jax.lax.scan(body, start, jax.random.split(rest, horizon))[0][2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in {"envs": 1024, "horizon": 500, "repeats": 5, "seed": 0}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    o = parser.parse_args()
    run = jax.jit(lambda key: rollout(o.envs, o.horizon, key))
    run(jax.random.key(o.seed)).block_until_ready()
    times = []
    for repeat in range(o.repeats):
        start = time.perf_counter()
        run(jax.random.key(o.seed + 1 + repeat)).block_until_ready()
        times.append(time.perf_counter() - start)
    print(json.dumps({"rate": o.envs * o.horizon / statistics.median(times), "device": str(jax.devices()[0])}))


if __name__ == "__main__":
    main()
