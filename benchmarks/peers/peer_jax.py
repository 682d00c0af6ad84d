"""What the JAX peers share: networks, Adam, CartPole, medians, and the JSON line that gpu_check.py reads. A whole run is one compiled
program on the device that JAX chooses."""

import argparse
import json
import statistics
import time

import jax
import jax.numpy as jnp


def options(description, **defaults):
    """Numbers from the command line: --name VALUE for each default, and --repeats, --seed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in {**defaults, "repeats": 3, "seed": 0}.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser.parse_args()


def measure(body, work, o):
    """Prints how many units of `work` a second `body`, a function of a random key, does: the median of the repeats, after a call that
    compiles."""
    compiled = jax.jit(body)
    jax.block_until_ready(compiled(jax.random.PRNGKey(o.seed)))
    times = []
    for repeat in range(o.repeats):
        start = time.perf_counter()
        jax.block_until_ready(compiled(jax.random.PRNGKey(o.seed + 1 + repeat)))
        times.append(time.perf_counter() - start)
    seconds = statistics.median(times)
    print(json.dumps({"rate": work / seconds, "seconds": seconds, "version": "JAX " + jax.__version__, "device": jax.devices()[0].platform}))


def mlp(key, sizes, last_gain=1.0):
    """Dense layers, (weights, bias) each, with orthogonal weights, gain sqrt(2) but for the last."""
    layers = []
    for k, part in enumerate(jax.random.split(key, len(sizes) - 1)):
        gain = last_gain if k == len(sizes) - 2 else 2.0**0.5
        layers.append((jax.nn.initializers.orthogonal(gain)(part, (sizes[k], sizes[k + 1])), jnp.zeros(sizes[k + 1])))
    return layers


def apply(layers, x, activation=jnp.tanh):
    for weights, bias in layers[:-1]:
        x = activation(x @ weights + bias)
    weights, bias = layers[-1]
    return x @ weights + bias


def values(critics, x, a):
    """What each critic says of actions in states, (critics, batch)."""
    both = jnp.concatenate((x, a), -1)
    return jnp.stack([apply(critic, both, jax.nn.relu)[..., 0] for critic in critics])


def q_loss(critics, x, a, y):
    return ((values(critics, x, a) - y) ** 2).mean(-1).sum()


def adam_start(parameters):
    zeros = jax.tree_util.tree_map(jnp.zeros_like, parameters)
    return zeros, zeros, jnp.zeros(())


def adam(parameters, moments, gradient, lr, eps=1e-8):
    m, v, n = moments
    n = n + 1.0
    m = jax.tree_util.tree_map(lambda m, g: 0.9 * m + 0.1 * g, m, gradient)
    v = jax.tree_util.tree_map(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradient)
    rate, scale = lr / (1.0 - 0.9**n), 1.0 / (1.0 - 0.999**n)
    parameters = jax.tree_util.tree_map(lambda p, m, v: p - rate * m / (jnp.sqrt(scale * v) + eps), parameters, m, v)
    return parameters, (m, v, n)


def log_normal(x, mean, log_std):
    return -0.5 * ((x - mean) / jnp.exp(log_std)) ** 2 - log_std - 0.5 * jnp.log(2.0 * jnp.pi)


def discounted(values, gamma):
    """x[t] = values[t] + gamma[t] * x[t+1], over the first dimension; gamma may be one number."""

    def step(following, at):
        value, discount = at
        following = value + discount * following
        return following, following

    discounts = jnp.broadcast_to(gamma, values.shape)
    return jax.lax.scan(step, jnp.zeros_like(values[0]), (values, discounts), reverse=True)[1]


def cartpole_reset(key, envs):
    return jax.random.uniform(key, (4, envs), minval=-0.05, maxval=0.05)


def cartpole_step(state, action):
    """The next state, (4, envs), and whether the pole or the cart has left its limits."""
    x, v, angle, spin = state
    push = jnp.where(action == 1, 10.0, -10.0)
    sine, cosine = jnp.sin(angle), jnp.cos(angle)
    thrust = (push + 0.05 * spin * spin * sine) / 1.1
    angular = (9.8 * sine - cosine * thrust) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    acceleration = thrust - 0.05 * angular * cosine / 1.1
    state = jnp.stack((x + 0.02 * v, v + 0.02 * acceleration, angle + 0.02 * spin, spin + 0.02 * angular))
    return state, (jnp.abs(state[0]) > 2.4) | (jnp.abs(state[2]) > 0.20943951023931953)


def cartpole_autoreset(state, age, action, key):
    """A step with a new start where an episode ends: also whether it did, whether it failed, and the state before the new start."""
    last, terminated = cartpole_step(state, action)
    age = age + 1
    done = terminated | (age >= 500)
    return jnp.where(done, cartpole_reset(key, state.shape[1]), last), jnp.where(done, 0, age), done, terminated, last


def pendulum_reset(key):
    """Angle, spin and the steps so far of one Pendulum-v1."""
    angle, spin = jax.random.uniform(key, (2,), minval=-1.0, maxval=1.0)
    return jnp.pi * angle, spin, jnp.zeros((), jnp.int32)


def pendulum_observe(pendulum):
    angle, spin, _ = pendulum
    return jnp.stack((jnp.cos(angle), jnp.sin(angle), spin))


def pendulum_step(pendulum, action, key):
    """The reward, what is observed before a reset after 200 steps, and the pendulum behind it."""
    angle, spin, age = pendulum
    torque = jnp.clip(action, -2.0, 2.0)
    wrapped = (angle + jnp.pi) % (2.0 * jnp.pi) - jnp.pi
    cost = wrapped**2 + 0.1 * spin**2 + 0.001 * torque**2
    spin = jnp.clip(spin + (15.0 * jnp.sin(angle) + 3.0 * torque) * 0.05, -8.0, 8.0)
    moved = (angle + 0.05 * spin, spin, age + 1)
    following = tuple(jnp.where(age + 1 == 200, new, old) for new, old in zip(pendulum_reset(key), moved))
    return -cost, pendulum_observe(moved), following


def buffer(rows, **widths):
    """A column each, of vectors of this width, or of numbers (None)."""
    return tuple(jnp.zeros(rows if width is None else (rows, width)) for width in widths.values())


def polyak(targets, weights, tau):
    return jax.tree_util.tree_map(lambda t, w: (1.0 - tau) * t + tau * w, targets, weights)
