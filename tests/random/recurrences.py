"""Random recurrences: forward, backward, along several indices, by halves and mirrored, in loops of their own, until a condition."""

from expressions import FLOATS
from model import History, Tensor, shifted


def along_an_index(method):
    """Of `method(self, dims, chosen, lo, hi)` a kind of equation: along some index, or a plain number where there is none to recur along."""
    def kind(self):
        dims, chosen = self.along()
        if not dims:
            return self.plain_number()
        index = self.program.indices[chosen]
        return method(self, dims, chosen, index.lo, index.hi)

    return kind


class Recurrences:
    """A part of Equations, whose lines and expressions it uses."""

    def independent(self):
        """Indices on which no other one depends and that depend on none."""
        indices = self.program.indices
        parents = {index.parent for index in indices.values()}
        return [n for n in indices if not indices[n].parent and n not in parents]

    def independent_pair(self):
        """Two of them, or None."""
        free = self.independent()
        return self.program.random.sample(free, 2) if len(free) >= 2 else None

    def along(self):
        """(indices, the one to recur along): one on which no other index depends and that depends on none."""
        p = self.program
        free = self.independent()
        if not free:
            return None, None
        chosen = p.pick(free)
        dims = p.closed({chosen, *p.some_indices(0, 2)})
        p.random.shuffle(dims) if p.chance(0.3) and not any(p.indices[n].parent for n in dims) else None
        return dims, chosen

    def box(self, dims, chosen, lo, hi):
        return tuple((n, lo, hi) if n == chosen else d for n, d in zip(dims, self.program.dims(dims)))

    def recurrence(self, dims, chosen, order, shape, dtype, make):
        """NAME[.. first points ..] and NAME[t + order], forward."""
        p = self.program
        lo, hi = p.indices[chosen].lo, p.indices[chosen].hi
        name = p.fresh("y")
        others = [n for n in dims if n != chosen]
        tensor = Tensor(name, dtype, self.box(dims, chosen, lo, hi + order), shape)
        for k in range(order):
            first = f"begin({chosen})" if k == 0 and p.chance(0.3) else str(lo + k)
            self.line(f"{self.left(name, dims, {chosen: first})} = {make(self.place(others))}")
        history = History(tensor, chosen, 0, order - 1, True)
        place = self.place(dims, [history])
        self.line(f"{self.left(name, dims, {chosen: shifted(chosen, order)})} = {make(place)}")
        p.add(tensor)

    def forward(self):
        dims, chosen = self.along()
        if not dims:
            return self.plain_number()
        dtype = self.float_type()
        self.recurrence(dims, chosen, self.program.pick([1, 1, 2]), (), dtype, lambda place: f"{dtype}({self.bounded(self.number(place))})")

    def integer_recurrence(self):
        dims, chosen = self.along()
        if not dims:
            return self.plain_integer()
        self.recurrence(dims, chosen, 1, (), "i32", lambda place: f"({self.expressions.integer(place, 2)}) % 13 - 2")

    def vector_recurrence(self):
        dims, chosen = self.along()
        if not dims:
            return self.plain_vector()
        extent = self.program.pick([2, 3])
        self.recurrence(dims, chosen, 1, (extent,), "f32", lambda place: f"f32(tanh({self.expressions.vector(place, extent, 2)}))")

    @along_an_index
    def backward(self, dims, chosen, lo, hi):
        p = self.program
        name = p.fresh("y")
        tensor = Tensor(name, "f32", self.box(dims, chosen, lo, hi + 1))
        others = [n for n in dims if n != chosen]
        last = p.pick([str(hi), f"end({chosen})"])
        self.line(f"{self.left(name, dims, {chosen: last})} = f32({self.bounded(self.number(self.place(others), 1))})")
        place = self.place(dims, [History(tensor, chosen, 1, 1, False)])
        self.line(f"{self.left(name, dims)} = f32({self.bounded(self.number(place))})")
        p.add(tensor)

    @along_an_index
    def lazy(self, dims, chosen, lo, hi):
        """One equation, whose base case is a lazy condition."""
        p = self.program
        name = p.fresh("y")
        tensor = Tensor(name, "f32", self.box(dims, chosen, lo, hi))
        start = self.place(dims).narrowed(chosen, lo, lo)
        place = self.place(dims, [History(tensor, chosen, -1, -1, True)]).narrowed(chosen, lo + 1, hi - 1)
        base, step = self.number(start, 1), self.number(place)
        self.line(f"{self.left(name, dims)} = if {chosen} == {lo} then f32({self.bounded(base)}) else f32({self.bounded(step)})")
        p.add(tensor)

    @along_an_index
    def accumulate(self, dims, chosen, lo, hi):
        """Each point from a reduction over all earlier ones."""
        p = self.program
        name, k = p.fresh("y"), p.fresh("k")
        others = [n for n in dims if n != chosen]
        read = f"{name}[" + ", ".join(k if n == chosen else n for n in dims) + "]"
        kind = p.pick(["mean", "max", "0.4 * sum"])
        start = p.pick([str(lo), f"max({lo}, {chosen} - 1)"])
        self.line(f"{self.left(name, dims, {chosen: str(lo)})} = f32({self.bounded(self.number(self.place(others), 1))})")
        self.line(f"{self.left(name, dims, {chosen: f'{chosen} + 1'})} = f32(0.8 * {kind}({read} for {k} in {start}..={chosen}) "
                  f"+ 0.2 * tanh({self.number(self.place(dims), 1)}))")
        p.add(Tensor(name, "f32", self.box(dims, chosen, lo, hi + 1)))

    @along_an_index
    def odd_order(self, dims, chosen, lo, hi):
        """Dependences along one index that are not a shift: from the middle both ways, by halves, mirrored, by parity."""
        p = self.program
        t = chosen
        name = p.fresh("y")
        own = lambda at: f"{name}[" + ", ".join(at if n == t else n for n in dims) + "]"
        middle = (lo + hi) // 2
        pieces = p.pick([
            [(f"{t} < {middle}", own(f"{t} + 1")), (f"{t} == {middle}", ""), ("", own(f"{t} - 1"))],
            [(f"{t} == {lo}", ""), ("", own(shifted(f"({shifted(t, -lo)}) // 2", lo)))],
            [(f"{t} < {middle}", ""), ("", own(f"max({lo}, min({lo + hi - 1} - {t}, {middle - 1}))"))] if middle > lo
            else [(f"{t} == {lo}", ""), ("", own(str(lo)))],
            [(f"{t} == {hi - 1}", ""), (f"({hi - 1} - {t}) % 2 == 0", own(f"{t} + 2")), ("", own(f"{t} + 1"))],
        ])
        place = self.place(dims)
        text = ""
        for condition, read in pieces:
            value = f"f32({self.bounded((f'0.7 * {read} + 0.3 * ' if read else '') + f'tanh({self.number(place, 1)})')})"
            text += f"if {condition} then {value} else " if condition else value
        self.line(f"{self.left(name, dims)} = {text}")
        p.add(Tensor(name, "f32", self.box(dims, chosen, lo, hi)))

    @along_an_index
    def mutual(self, dims, chosen, lo, hi):
        """Two tensors; the second also reads the first's new point."""
        p = self.program
        names = p.fresh("y"), p.fresh("z")
        tensors = [Tensor(name, "f32", self.box(dims, chosen, lo, hi + 1)) for name in names]
        others = [n for n in dims if n != chosen]
        old = [History(tensor, chosen, 0, 0, True) for tensor in tensors]
        for position, tensor in enumerate(tensors):
            self.line(f"{self.left(tensor.name, dims, {chosen: str(lo)})} = f32({self.bounded(self.number(self.place(others), 1))})")
            new = [History(tensors[0], chosen, 1, 1, True)] * 2 if position == 1 else []
            place = self.place(dims, old + new)
            self.line(f"{self.left(tensor.name, dims, {chosen: f'{chosen} + 1'})} = f32({self.bounded(self.number(place))})")
        for tensor in tensors:
            p.add(tensor)

    def nested(self):
        """An outer recurrence through the end of an inner one."""
        p = self.program
        pair = self.independent_pair()
        if not pair:
            return self.forward()
        outer, inner = pair
        first = p.indices[outer], p.indices[inner]
        w, y = p.fresh("w"), p.fresh("y")
        at_w = Tensor(w, "f32", ((outer, first[0].lo, first[0].hi + 1),))
        at_y = Tensor(y, "f32", ((outer, first[0].lo, first[0].hi), (inner, first[1].lo, first[1].hi + 1)))
        old = History(at_w, outer, 0, 0, True)
        self.line(f"{w}[{first[0].lo}] = {p.pick(FLOATS)}")
        self.line(f"{y}[{outer}, {first[1].lo}] = f32({self.bounded(self.number(self.place([outer], [old]), 1))})")
        # Only the row of the same outer point is there to read.
        text = self.number(self.place([outer, inner], [old]), 2)
        self.line(f"{y}[{outer}, {inner} + 1] = f32({self.bounded(f'0.6 * {y} + 0.4 * ({text})')})")
        end = p.pick([f"{y}[{outer}, {first[1].hi}]", f"{y}[{inner}: {first[1].hi}]", f"mean({y} for {inner})"])
        self.line(f"{w}[{outer} + 1] = f32({self.bounded(f'0.5 * {w} + {end} - 0.1')})")
        p.add(at_w)
        p.add(at_y)

    def carried(self):
        """Rounds of updates, up or down, that begin from some point of the round before; one point of each is read."""
        p = self.program
        pair = self.independent_pair()
        if not pair:
            return self.forward()
        outer, inner = pair
        lo, hi = p.indices[inner].lo, p.indices[inner].hi
        w, y = p.fresh("w"), p.fresh("y")
        at = lambda round, point: f"{w}[{round}, {point}]"
        some = lambda: p.random.randint(lo, hi)
        other = lambda: f"tanh({self.number(self.place([outer]), 1)})"
        after = f"{outer} + 1"
        up = p.chance(0.7)
        new, old, start, end = (f"{inner} + 1", inner, lo, hi) if up else (inner, f"{inner} + 1", hi, lo)
        begun = p.pick([at(outer, end), at(outer, some()), at(outer, start), "0.3"])
        above = p.pick([at(outer, new), at(outer, old), at(outer, some()), other()])
        first, step = f"0.7 * {begun} + 0.2 * {other()}", f"0.6 * {at(after, old)} + 0.5 * {above} - 0.1"
        self.line(f"{w}[{p.indices[outer].lo}, {inner} in {lo}..={hi}] = f32(0.3 * {inner} - 0.4)")
        self.line(f"{at(after, start)} = f32({self.bounded(first)})")
        self.line(f"{at(after, new)} = f32({self.bounded(step)})")
        self.line(f"{y}[{outer}] = {at(outer, some())}")
        p.add(Tensor(y, "f32", tuple(p.dims([outer]))))

    def over_t(self):
        """A function over an index, called on what is defined on its whole declared range."""
        p = self.program
        candidates = [
            t for t in p.tensors
            if t.dtype == "f32" and not t.shape and not t.field and not t.wild and t.dims
            and not any(p.indices[n].parent for n, _, _ in t.dims)
        ]
        if not candidates:
            return self.plain_number()
        tensor = p.pick(candidates)
        names = [n for n, _, _ in tensor.dims]
        index = p.pick(names)
        declared = p.indices[index]
        if not all(lo <= p.indices[n].lo and hi >= p.indices[n].hi for n, lo, hi in tensor.dims):
            return self.plain_number()
        function, name = p.fresh("f"), p.fresh("g")
        if p.chance(0.5):
            body = f"{{ G = 0.5 * r + 0.6 * G[{index}+1]; G[end({index})] = 0.0; G }}"
        else:
            body = f"{{ G[begin({index})] = 0.25; G[{index}+1] = tanh(r + 0.5 * G); G }}"
        self.line(f"fn {function}(r: f32) over {index} -> f32 {body}")
        self.line(f"{name} = {function}({tensor.name})")
        p.add(Tensor(name, "f32", p.dims(p.closed(names))))

    def until(self):
        """A range that ends where a count does."""
        p = self.program
        if any(line.startswith("index s ") for line in p.lines):
            return self.integer_recurrence()
        parents = {index.parent for index in p.indices.values()}
        name, done, total = p.fresh("m"), p.fresh("q"), p.fresh("n")
        other = p.pick([n for n in p.indices if n not in parents and not p.indices[n].parent] or [""])
        step = f"1 + {other} % 2" if other else "1"
        left = f"{other}, " if other else ""
        self.line(f"index s in 0..{p.random.randint(2, 6)} until {done}")
        self.line(f"{name}[{left}0] = 0")
        self.line(f"{name}[{left}s + 1] = {name} + {step}")
        self.line(f"{done} = {name} >= {p.random.randint(1, 4)}")
        self.line(f"{total} = sum({name} for s) + end(s)")
        p.prints.append(f"print {name}")
        p.add(Tensor(total, "i32", p.dims([other] if other else [])))

    # ---- gradients ----
