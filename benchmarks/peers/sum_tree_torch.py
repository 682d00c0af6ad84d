#!/usr/bin/env python3
"""benchmarks/workloads/sum_tree.rl in PyTorch: a K-ary sum tree, all of a batch at once."""

import torch

import peer


class SumTree:
    """Levels from the leaves to the root, each padded to whole nodes."""

    def __init__(self, leaves, fanout):
        self.fanout = fanout
        self.levels = [self.padded(leaves)]
        while len(self.levels[-1]) > fanout:
            self.levels.append(self.padded(self.levels[-1].view(-1, fanout).sum(-1)))

    def padded(self, level):
        return torch.nn.functional.pad(level, (0, -len(level) % self.fanout))

    def total(self):
        return self.levels[-1].sum()

    def update(self, at, priorities):
        self.levels[0][at] = priorities
        for below, level in zip(self.levels, self.levels[1:]):
            at = at // self.fanout
            level[at] = below.view(-1, self.fanout)[at].sum(-1)

    def sample(self, count):
        left, at = (torch.arange(count) + torch.rand(count)) / count * self.total(), torch.zeros(count, dtype=torch.int64)
        for level in reversed(self.levels):
            children = level.view(-1, self.fanout)[at]
            sums = children.cumsum(-1)
            child = (sums <= left.unsqueeze(-1)).sum(-1).clamp(max=self.fanout - 1)
            left = left - (sums - children).gather(-1, child.unsqueeze(-1)).squeeze(-1)
            at = at * self.fanout + child
        return at


@torch.no_grad()
def run(o):
    tree = SumTree(torch.ones(o.capacity), o.fanout)
    for n in range(o.steps):
        drawn = tree.sample(o.batch).clamp(max=o.capacity - 1)
        tree.update(torch.tensor([n % o.capacity]), 1.0)
        tree.update(drawn, 0.001 + 0.999 * torch.rand(o.batch))
    return tree.total()


def main():
    o = peer.options(__doc__, capacity=1000000, batch=256, fanout=16, steps=2000)
    peer.measure(lambda: run(o), o.steps * o.batch, o.repeats)


if __name__ == "__main__":
    main()
