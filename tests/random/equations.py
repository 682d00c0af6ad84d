"""Random equations: sources, plain ones, recurrences (recurrences.py), records, gradients."""

from expressions import FLOATS, Expressions
from model import Place, Tensor
from recurrences import Recurrences


class Equations(Recurrences):
    def __init__(self, program):
        self.program = program
        self.expressions = Expressions(program)
        self.depth = 3

    def line(self, text):
        self.program.lines.append(text)

    # ---- what everything else reads ----

    def add_params(self):
        p = self.program
        for _ in range(p.random.randint(0, 2)):
            name = p.fresh("p")
            self.line(f"param {name} = {p.pick(FLOATS)}")
            p.params.append(name)

    def add_functions(self):
        p = self.program
        if p.chance(0.4):
            name = p.fresh("f")
            body = p.pick(["tanh(x + 0.5 * y)", "if x > 0.0717 then x * y else 0.3 * y", "max(x, 0.4 * y)", "x / (2.0 + y * y)"])
            self.line(f"fn {name}(x: f32, y: f32) -> f32 = {body}")
            p.functions.append((name, 2))
        if p.chance(0.3):
            name = p.fresh("f")
            self.line(f"fn {name}(x: f32) -> f32 {{ u = tanh(x); v = u * u - 0.25; 0.5 * (u + v) }}")
            p.functions.append((name, 1))

    def add_sources(self):
        """At least one float, one integer and one bool that the others can read."""
        p = self.program
        for make in (self.draw, self.plain_integer, self.plain_bool, self.plain_number):
            make()

    def add_one(self):
        p = self.program
        p.pick([self.plain_number, self.plain_number, self.ranged, self.forward, self.forward, self.backward, self.lazy,
                self.mutual, self.nested, self.cases, self.record, self.plain_vector, self.vector_recurrence, self.draw,
                self.over_t, self.odd_order, self.plain_integer, self.integer_recurrence, self.plain_bool, self.until, self.accumulate,
                self.table, self.carried])()

    # ---- helpers ----

    def place(self, names, histories=()):
        return Place(self.program.declared(names), tuple(histories))

    def left(self, name, dims, at=None):
        """NAME[...]; `at` replaces the subscript of some indices."""
        if not dims:
            return name
        at = at or {}
        return f"{name}[" + ", ".join(at.get(dim, dim) for dim in dims) + "]"

    def finished(self, text):
        return self.program.pick([f"tanh({text})", f"clip({text}, -1.3, 1.2)", f"sin({text})", f"0.9 * ({text})"])

    def bounded(self, text):
        return self.program.pick([f"tanh({text})", f"clip({text}, -1.3, 1.2)", f"sin({text})"])

    def float_type(self):
        return "f64" if self.program.chance(0.2) else "f32"

    def number(self, place, depth=None):
        return self.expressions.number(place, self.depth if depth is None else depth)

    # ---- plain equations ----

    def plain(self, prefix, dtype, make, shape=()):
        """With subscripts, or without: then the indices are those that the right side uses."""
        p = self.program
        name = p.fresh(prefix)
        dims = p.some_indices()
        place = self.place(dims)
        text = make(place)
        if p.chance(0.5):
            dims = p.closed([n for n in dims if n in place.used])
            self.line(f"{name} = {text}")
        elif p.chance(0.2) and place.used & set(dims):
            dims = p.closed([n for n in dims if n in place.used])
            self.line(f"{name}[..] = {text}")
        else:
            self.line(f"{self.left(name, dims)} = {text}")
        p.add(Tensor(name, dtype, p.dims(dims), shape, known=not dims and not self.expressions.varies(text)))

    def plain_number(self):
        dtype = self.float_type()
        self.plain("x", dtype, lambda place: f"{dtype}({self.finished(self.number(place))})")

    def plain_integer(self):
        self.plain("n", "i32", lambda place: f"({self.expressions.integer(place, 2)}) % 11")

    def plain_bool(self):
        self.plain("q", "bool", lambda place: self.expressions.truth(place, 2))

    def plain_vector(self):
        extent = self.program.pick([2, 3])
        self.plain("v", "f32", lambda place: f"f32(tanh({self.expressions.vector(place, extent, 2)}))", (extent,))

    def ranged(self):
        """A range on the left that is larger or smaller than the declared one."""
        p = self.program
        name, dims = p.fresh("x"), p.some_indices(1)
        parents = {index.parent for index in p.indices.values()}
        free = [n for n in dims if not p.indices[n].parent and n not in parents]
        if not free:
            return self.plain_number()
        chosen = p.pick(free)
        lo = p.indices[chosen].lo + p.random.randint(-1, 0)
        hi = p.indices[chosen].hi + p.random.randint(0, 2)
        place = self.place(dims).narrowed(chosen, lo, hi - 1)
        text = self.finished(self.number(place))
        dtype = self.float_type()
        self.line(f"{self.left(name, dims, {chosen: f'{chosen} in {lo}..{hi}'})} = {dtype}({text})")
        p.add(Tensor(name, dtype, tuple((n, lo, hi) if n == chosen else d for n, d in zip(dims, p.dims(dims)))))

    def cases(self):
        """Two equations with complementary conditions."""
        p = self.program
        name, dims = p.fresh("x"), p.some_indices(1)
        chosen = p.pick(dims)
        lo, hi = p.indices[chosen].lo, p.indices[chosen].hi
        place = self.place(dims)
        if p.chance(0.5):
            conditions = [(f"{chosen} % 2 == {k}", place) for k in (0, 1)]
        else:
            cut = p.random.randint(lo, hi - 2) if hi - 2 >= lo else lo
            conditions = [(f"{chosen} <= {cut}", place.narrowed(chosen, lo, cut)), (f"{chosen} > {cut}", place.narrowed(chosen, cut + 1, hi - 1))]
        for condition, inside in conditions:
            self.line(f"{self.left(name, dims)} = f32({self.finished(self.number(inside, 2))}) where {condition}")
        p.add(Tensor(name, "f32", p.dims(dims)))

    def record(self):
        p = self.program
        kind, name, dims = p.fresh("R"), p.fresh("r"), p.some_indices()
        place = self.place(dims)
        self.line(f"record {kind} {{ u: f32, n: i32 }}")
        self.line(f"{self.left(name, dims)} = {kind}(u = f32({self.finished(self.number(place, 2))}), "
                  f"n = ({self.expressions.integer(place, 1)}) % 9)")
        known = not dims
        p.add(Tensor(name, "f32", p.dims(dims), (), "u", known=known))
        p.add(Tensor(name, "i32", p.dims(dims), (), "n", known=known))
        self.print_fields(name, ("u", "n"))

    def print_fields(self, name, fields):
        for field in fields:
            self.program.prints.append(f'print "{name}.{field}", {name}.{field}')

    def draw(self):
        p = self.program
        name, dims = p.fresh("u"), p.some_indices()
        left = self.left(name, dims)
        kind = p.random.randrange(6)
        if kind == 0:
            self.line(f"{left} ~ Uniform(-1.0, 1.0)")
            p.add(Tensor(name, "f32", p.dims(dims)))
        elif kind == 1:
            self.line(f"{left} ~ Normal({p.pick(FLOATS)}, 0.3)")
            p.add(Tensor(name, "f32", p.dims(dims)))
        elif kind == 2:
            mean = self.number(self.place(dims), 1)
            self.line(f"{left} ~ reparam(Normal(f32(tanh({mean})), 0.3))")
            p.add(Tensor(name, "f32", p.dims(dims)))
        elif kind == 3:
            self.line(f"{left} ~ UniformInt({p.random.randint(-2, 0)}, {p.random.randint(1, 5)})")
            p.add(Tensor(name, "i32", p.dims(dims)))
        elif kind == 4:
            self.line(f"{left} ~ Normal([0.0, 0.5], 0.4)")
            p.add(Tensor(name, "f32", p.dims(dims), (2,)))
        else:
            self.line(f"{left} ~ Categorical(logits = [0.0, 0.4, -0.3])")
            p.add(Tensor(name, "i32", p.dims(dims)))

    def table(self):
        """A step changes one element, at a position that is data, and leaves the others as they are."""
        p = self.program
        dims, chosen = self.along()
        keys = [n for n in dims or () if n != chosen and not p.indices[n].parent]
        if not keys:
            return self.forward()
        keys = p.random.sample(keys, p.pick([1, 1, len(keys)]))
        outside = [n for n in dims if n not in keys]
        if any(p.indices[n].parent in keys for n in outside):
            return self.forward()
        others = [n for n in dims if n != chosen]
        name, dtype = p.fresh("y"), p.pick(["f32", "f32", "f64", "i32"])
        at = {key: self.position(key, outside) for key in keys}
        own = self.left(name, dims)
        within = {key: f"max({p.indices[key].lo}, min({p.indices[key].hi - 1}, {at[key]}))" for key in keys}

        def value(place):
            return f"({self.expressions.integer(place, 2)}) % 13 - 2" if dtype == "i32" else f"{dtype}({self.bounded(self.number(place, 1))})"

        seen = self.place(p.pick([outside, dims]))
        new = p.pick([value(seen), f"{own} + {value(seen)}", f"{self.left(name, dims, within)} + {value(seen)}", f"0 - {own}"])
        lo, hi = p.indices[chosen].lo, p.indices[chosen].hi
        self.line(f"{self.left(name, dims, {chosen: str(lo)})} = {p.pick([value(self.place(others)), f'{dtype}(1)'])}")
        hits = " and ".join(f"{key} == {at[key]}" for key in keys)
        update = f"if {hits} then {new} else {own}"
        if len(keys) == 1 and p.chance(0.3):
            update = f"if {keys[0]} != {at[keys[0]]} then {own} else {new}"
        self.line(f"{self.left(name, dims, {chosen: f'{chosen} + 1'})} = {update}")
        table = Tensor(name, dtype, self.box(dims, chosen, lo, hi + 1))
        if p.chance(0.5):
            return p.add(table)
        # Only its end is read: then it may lie in one place.
        last = Tensor(p.fresh("y"), dtype, tuple(d for d in table.dims if d[0] != chosen))
        self.line(f"{self.left(last.name, others)} = {self.left(name, dims, {chosen: str(hi)})}")
        p.add(last)

    def position(self, key, dims):
        """A tensor of points of an index, or now and then of none."""
        p = self.program
        index, name = p.indices[key], p.fresh("k")
        extent = index.hi - index.lo + p.pick([0, 0, 1])
        self.line(f"{self.left(name, dims)} = ({self.expressions.integer(self.place(dims), 2)}) % {extent}{f' + {index.lo}' if index.lo else ''}")
        return self.left(name, dims)

    def add_gradient(self):
        p = self.program
        floats = [t for t in p.tensors if t.kind() == "float" and not t.field and not t.wild
                  and all(lo <= p.indices[n].lo and hi >= p.indices[n].hi for n, lo, hi in t.dims)]
        if not floats:
            return
        loss, name = p.fresh("L"), p.fresh("g")
        outer = [] if p.chance(0.7) else p.some_indices(1, 1)
        place = self.place(outer)
        text = " + ".join([self.number(place, 2)] + [self.whole(p.pick(floats[-4:]), place) for _ in range(2)])
        self.line(f"{loss} = {text}")
        kept = p.closed([n for n in outer if n in place.used])
        p.add(Tensor(loss, "f32", p.dims(kept), (), "", True))
        if p.params and p.chance(0.2):
            self.line(f"{name} = grad({loss}, {p.pick(p.params)})")
            p.add(Tensor(name, "f32", p.dims(kept), (), "", True))
            return
        target = p.pick(floats[:6])
        self.line(f"{name} = grad({loss}, {target.name})")
        both = p.closed(set(kept) | {n for n, _, _ in target.dims})
        p.add(Tensor(name, target.dtype, p.dims(both), target.shape, "", True))

    def whole(self, tensor, place):
        """A mean over all of a tensor, so that a loss depends on much."""
        free = [n for n, _, _ in tensor.dims if n not in place.ranges]
        for n, _, _ in tensor.dims:
            if n in place.ranges:
                place.used.add(n)
        value = tensor.name if not tensor.shape else f"sum({tensor.name})"
        if not free:
            return f"({value}) ^ 2"
        return f"mean(({value}) ^ 2 for {', '.join(free)})"
