"""What the PyTorch peers share: threads, medians, and the JSON line that `rlc bench peers` reads."""

import argparse
import json
import math
import random
import resource
import statistics
import time

import torch


def options(description, **defaults):
    """Numbers from the command line: --name VALUE for each default, and --threads, --repeats, --seed; --device cuda runs on a GPU."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in {**defaults, "threads": torch.get_num_threads(), "repeats": 3, "seed": 0}.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--device", default="cpu")
    found = parser.parse_args()
    if found.device != "cpu":  # PyTorch 2 and later
        torch.set_default_device(found.device)
    torch.set_num_threads(found.threads)
    torch.manual_seed(found.seed)
    return found


def measure(body, work, repeats, **more):
    """Prints how many units of `work` a second `body` does: the median of the repeats, after a call that warms up; and by how many bytes the
    process has grown for it at most."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    body()
    finish = torch.cuda.synchronize if torch.cuda.is_initialized() else lambda: None
    finish()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        body()
        finish()
        times.append(time.perf_counter() - start)
    seconds = statistics.median(times)
    print(json.dumps({"rate": work / seconds, "seconds": seconds, "threads": torch.get_num_threads(),
                      "bytes": 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before),
                      "version": "PyTorch " + torch.__version__, **more}))


def mlp(sizes, activation=torch.nn.Tanh, last_gain=1.0):
    """Dense layers with orthogonal weights, gain sqrt(2) but for the last."""
    layers = []
    for k in range(len(sizes) - 1):
        layer = torch.nn.Linear(sizes[k], sizes[k + 1])
        torch.nn.init.orthogonal_(layer.weight, last_gain if k == len(sizes) - 2 else math.sqrt(2.0))
        torch.nn.init.zeros_(layer.bias)
        layers += [layer, activation()] if k < len(sizes) - 2 else [layer]
    return torch.nn.Sequential(*layers)


def draw(logits):
    """Classes by Gumbel's trick: torch.multinomial and Categorical take several times as long for few classes."""
    return (logits - torch.log(-torch.log(torch.rand_like(logits)))).argmax(-1)


def cartpole_reset(envs):
    return torch.rand(envs, 4) * 0.1 - 0.05


def cartpole_step(state, action):
    """The next state, and whether the pole or the cart has left its limits."""
    x, v, angle, spin = state.unbind(-1)
    push = torch.where(action == 1, 10.0, -10.0)
    sine, cosine = torch.sin(angle), torch.cos(angle)
    thrust = (push + 0.05 * spin * spin * sine) / 1.1
    angular = (9.8 * sine - cosine * thrust) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    acceleration = thrust - 0.05 * angular * cosine / 1.1
    state = torch.stack((x + 0.02 * v, v + 0.02 * acceleration, angle + 0.02 * spin, spin + 0.02 * angular), -1)
    terminated = (state[:, 0].abs() > 2.4) | (state[:, 2].abs() > 0.20943951023931953)
    return state, terminated


def discounted(values, gamma):
    """x[t] = values[t] + gamma * x[t+1], over the first dimension."""
    sums = torch.empty_like(values)
    following = torch.zeros_like(values[0])
    for t in reversed(range(values.shape[0])):
        following = values[t] + gamma * following
        sums[t] = following
    return sums


class Pendulum:
    """Pendulum-v1 with automatic resets after 200 steps, in plain Python floats, which is fastest for one environment."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.angle, self.spin, self.age = random.uniform(-math.pi, math.pi), random.uniform(-1.0, 1.0), 0

    def observe(self):
        return torch.tensor([math.cos(self.angle), math.sin(self.angle), self.spin])

    def step(self, action):
        """The reward, and what is observed before a reset."""
        torque = max(-2.0, min(2.0, action))
        wrapped = (self.angle + math.pi) % (2.0 * math.pi) - math.pi
        cost = wrapped**2 + 0.1 * self.spin**2 + 0.001 * torque**2
        self.spin = max(-8.0, min(8.0, self.spin + (15.0 * math.sin(self.angle) + 3.0 * torque) * 0.05))
        self.angle += self.spin * 0.05
        self.age += 1
        last = self.observe()
        if self.age == 200:
            self.reset()
        return -cost, last


class Buffer:
    """Transitions, a row each, in tensors of these widths."""

    def __init__(self, rows, **widths):
        self.columns = {name: torch.empty(rows, width) for name, width in widths.items()}

    def insert(self, n, **values):
        for name, value in values.items():
            self.columns[name][n % len(self.columns[name])] = value

    def rows(self, which):
        return [column[which] for column in self.columns.values()]

    def sample(self, filled, count):
        return self.rows(torch.randint(filled, (count,)))


def polyak(targets, weights, tau):
    with torch.no_grad():
        torch._foreach_mul_(targets, 1.0 - tau)
        torch._foreach_add_(targets, weights, alpha=tau)


def descend(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
