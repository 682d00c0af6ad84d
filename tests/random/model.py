"""What the generator knows of the program that it writes: its indices, its tensors, and what a place may read."""

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Index:
    """lo..hi, or lo..=parent where there is a parent (then hi is one above the greatest point)."""

    name: str
    lo: int
    hi: int
    parent: str = ""

    def declaration(self):
        bounds = f"{self.lo}..={self.parent}" if self.parent else f"{self.lo}..{self.hi}"
        return f"index {self.name} in {bounds}"


@dataclass(frozen=True)
class Tensor:
    """Defined at least on the box of `dims`: (index, lo, hi) each; cut by `d <= parent` where d has a parent."""

    name: str
    dtype: str  # i32 i64 f32 f64 bool
    dims: tuple = ()
    shape: tuple = ()
    field: str = ""  # of a record: what is read is NAME[...].field
    wild: bool = False  # of unknown size: a reader squashes it
    known: bool = False  # at compile time: a condition on it takes one branch for good, and the other one's indices are not used

    def kind(self):
        return {"i": "int", "f": "float", "b": "bool"}[self.dtype[0]]


@dataclass(frozen=True)
class History:
    """A tensor that is being defined along `index`: readable at first..last relative to the index's value."""

    tensor: Tensor
    index: str
    first: int
    last: int
    forward: bool


@dataclass
class Place:
    """Where an expression stands: the range (both ends included) of each variable that it may use."""

    ranges: dict
    histories: tuple = ()
    used: set = field(default_factory=set)
    lazy: bool = True  # conditions on indices may still be introduced

    def narrowed(self, name, lo, hi):
        ranges = dict(self.ranges)
        ranges[name] = (lo, hi)
        return Place(ranges, self.histories, self.used, self.lazy)

    def with_variable(self, name, lo, hi):
        """For the body of a reduction: its own set of used names, joined by `leave`."""
        ranges = dict(self.ranges)
        ranges[name] = (lo, hi)
        return Place(ranges, self.histories, set(), self.lazy)

    def leave(self, inner, names):
        self.used |= inner.used - set(names)


def shifted(name, offset):
    return name if offset == 0 else f"{name} {'+' if offset > 0 else '-'} {abs(offset)}"


class Program:
    """The lines so far, one item each, and the tensors that later ones may read."""

    def __init__(self, seed, size):
        self.random = random.Random(seed)
        self.size = size
        self.lines = []
        self.prints = []
        self.indices = {}
        self.tensors = []
        self.functions = []
        self.params = []
        self.counter = 0

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    def add(self, tensor, printed=True):
        self.tensors.append(tensor)
        if printed and not tensor.field:
            self.prints.append(f"print {tensor.name}")

    def declared(self, names):
        """The ranges of declared indices as a place sees them."""
        return {name: (self.indices[name].lo, self.indices[name].hi - 1) for name in names}

    def closed(self, names):
        """With the indices that the ranges mention, in declared order."""
        wanted = set(names)
        for name in names:
            if self.indices[name].parent:
                wanted.add(self.indices[name].parent)
        return [name for name in self.indices if name in wanted]

    def some_indices(self, least=0, most=3, without=()):
        names = [name for name in self.indices if name not in without and self.indices[name].parent not in without]
        count = min(len(names), self.random.randint(least, most))
        return self.closed(self.random.sample(names, count))

    def dims(self, names):
        return tuple((name, self.indices[name].lo, self.indices[name].hi) for name in names)

    def text(self):
        body = list(self.lines)
        self.random.shuffle(body)  # the order of items has no meaning, that of indices has
        header = [index.declaration() for index in self.indices.values()]
        return "\n".join(header + body + self.prints) + "\n"
