"""Random expressions. Floats stay within about [-2, 2] and integers small, so that no device can drift from another."""

import re

from reading import history_read, parent_of, point_read, slice_of

FLOATS = ["0.5", "-0.25", "1.0", "0.75", "-0.6", "0.3", "-1.0", "0.125"]
KEYWORDS = {"if", "then", "else", "not", "and", "or", "for", "in", "true", "false"}
THRESHOLDS = ["0.1234", "-0.3217", "0.0517", "0.6123", "-0.0731"]  # no value of the program comes near by construction


class Expressions:
    def __init__(self, program):
        self.program = program

    # ---- leaves ----

    def readable(self, place, kind, shape=()):
        scalar = [t for t in self.program.tensors if t.kind() == kind and (t.shape == shape or (t.shape and shape == ()))]
        histories = [
            h for h in place.histories
            if h.tensor.kind() == kind and (h.tensor.shape == shape or (h.tensor.shape and shape == ()))
        ]
        return scalar, histories

    def read(self, place, kind, depth, shape=()):
        """None where nothing of the kind can be read."""
        tensors, histories = self.readable(place, kind, shape)
        if histories and self.program.chance(0.6):
            return history_read(self.program, place, self.program.pick(histories), shape)
        if not tensors:
            return None
        recent = tensors[-4:] if self.program.chance(0.6) else tensors
        ints = (lambda: self.integer(place, 0)) if depth > 0 else None
        return point_read(self.program, place, self.program.pick(recent), ints, shape)

    def variable(self, place):
        name = self.program.pick(list(place.ranges))
        place.used.add(name)
        return name

    # ---- floats ----

    def number(self, place, depth):
        p = self.program
        if depth <= 0 or p.chance(0.12):
            return self.number_leaf(place, depth)
        form = p.pick([self.arithmetic] * 5 + [self.elementary] * 4 + [self.reduction] * 3 + [self.choice] * 3
                      + [self.of_slice, self.of_vector, self.call, self.from_integer])
        return form(place, depth) or self.arithmetic(place, depth)

    def number_leaf(self, place, depth):
        p = self.program
        if p.chance(0.75):
            text = self.read(place, "float", depth)
            if text:
                return text
        if place.ranges and p.chance(0.4):
            return f"0.1 * {self.variable(place)}"
        if p.params and p.chance(0.3):
            return p.pick(p.params)
        return p.pick(FLOATS)

    def arithmetic(self, place, depth):
        form = self.program.pick([
            "0.5 * ({} + {})", "0.5 * ({} - {})", "0.5 * ({}) * ({})", "({}) / (3.5 + tanh({}))", "max({}, {})",
            "min({}, {})", "({}) * 0.7 - 0.2 * ({})",
        ])
        return self.filled(form, lambda: self.number(place, depth - 1))

    def filled(self, form, make):
        """Makes only what the form has places for: what is made but not written must not count as used."""
        return form.format(*(make() for _ in range(form.count("{}"))))

    def elementary(self, place, depth):
        a = self.number(place, depth - 1)
        return self.program.pick([
            f"tanh({a})", f"sin({a})", f"cos({a})", f"sigmoid({a})", f"exp(-abs({a}))", f"log(2.5 + tanh({a}))",
            f"sqrt(1.5 + tanh({a}))", f"clip({a}, -0.71, 0.83)", f"relu({a})", f"-({a})", f"(0.3 * tanh({a})) ^ 2",
            f"erf({a})", f"abs({a})", f"detach({a})", f"f64({a})", f"f32({a})",
        ])

    def from_integer(self, place, depth):
        return f"0.1 * ({self.integer(place, depth - 1)})"

    def choice(self, place, depth):
        if self.program.chance(0.5) and place.ranges and place.lazy:
            condition, yes, no = self.index_condition(place)
            return f"(if {condition} then {self.number(yes, depth - 1)} else {self.number(no, depth - 1)})"
        condition = self.truth(place, depth - 1)
        return f"(if {condition} then {self.number(place, depth - 1)} else {self.number(place, depth - 1)})"

    def index_condition(self, place):
        """A condition with the places of its two branches, narrowed."""
        p = self.program
        name = self.variable(place)
        lo, hi = place.ranges[name]
        if lo == hi or p.chance(0.25):
            return f"{name} % 2 == {p.pick([0, 1])}", place, place
        cut = p.random.randint(lo, hi - 1)
        below, above = place.narrowed(name, lo, cut), place.narrowed(name, cut + 1, hi)
        if cut == lo and p.chance(0.5):
            return f"{name} == {lo}", below, above
        return p.pick([(f"{name} <= {cut}", below, above), (f"{name} > {cut}", above, below), (f"not {name} > {cut}", below, above)])

    def call(self, place, depth):
        if not self.program.functions:
            return None
        name, arity = self.program.pick(self.program.functions)
        return f"{name}(" + ", ".join(f"f32({self.number(place, depth - 1)})" for _ in range(arity)) + ")"

    # ---- reductions ----

    def binder(self, place):
        """(text, inner place, names, is never empty)"""
        p = self.program
        free = [n for n in p.indices if n not in place.ranges and (not p.indices[n].parent or p.indices[n].parent in place.ranges)]
        if free and p.chance(0.4):
            name = p.pick(free)
            index = p.indices[name]
            inner = place.with_variable(name, index.lo, index.hi - 1)
            if index.parent:
                place.used.add(index.parent)
            return name, inner, [name], not index.parent or self.covers_parent(place, index)
        name = p.fresh("k")
        lo, hi = self.extent()
        inner = place.with_variable(name, lo, hi - 1)
        inside = [v for v, (least, greatest) in place.ranges.items() if lo <= least and greatest < hi]
        if inside and p.chance(0.6):
            v = p.pick(inside)
            place.used.add(v)
            bounds = p.pick([f"{lo}..={v}", f"{lo}..{v} + 1", f"{v}..{hi}", f"max({v} - 1, {lo})..min({v} + 2, {hi})"])
            return f"{name} in {bounds}", inner, [name], True
        return f"{name} in {lo}..{hi}", inner, [name], True

    def covers_parent(self, place, index):
        return place.ranges[index.parent][0] >= index.lo

    def extent(self):
        """The range of some position, so that the variable has something to read."""
        p = self.program
        dims = [dim for tensor in p.tensors for dim in tensor.dims if not parent_of(p, tensor)]
        if dims and p.chance(0.8):
            _, lo, hi = p.pick(dims)
            return lo, hi
        return 0, p.random.randint(1, 3)

    def reduction(self, place, depth):
        p = self.program
        binder, inner, names, filled = self.binder(place)
        second = ""
        if p.chance(0.2):
            second, inner2, names2, filled2 = self.binder(inner)
            second, names, filled = ", " + second, names + names2, filled and filled2
            inner2.used |= inner.used
            inner = inner2
        filter_text = ""
        if p.chance(0.25):
            filled = False
            variable = names[-1]
            filter_text = " if " + (f"{variable} % 2 == 0" if p.chance(0.5) else self.truth(inner, 0))
        body = self.number(inner, depth - 1)
        place.leave(inner, names)
        clause = f"for {binder}{second}{filter_text})"
        forms = [f"0.2 * sum({body} {clause}", f"0.5 * prod(tanh({body}) {clause}"]
        if filled:
            forms += [f"mean({body} {clause}", f"max({body} {clause}", f"min({body} {clause}",
                      f"0.2 * logsumexp({body} {clause}", f"var({body} {clause}"]
        return p.pick(forms)

    def of_slice(self, place, depth):
        """A reduction of a slice, perhaps of varying length."""
        p = self.program
        tensors = [t for t in p.tensors if t.kind() == "float" and t.shape == () and t.dims and not t.field and not t.wild
                   and not parent_of(p, t)]
        if not tensors:
            return None
        tensor = p.pick(tensors)
        position = p.random.randrange(len(tensor.dims))
        _, lo, hi = tensor.dims[position]
        bounds = f"{lo}..{hi}"
        inside = [v for v, (least, greatest) in place.ranges.items() if lo <= least and greatest < hi]
        if inside and p.chance(0.6):
            v = p.pick(inside)
            place.used.add(v)
            bounds = p.pick([f"{lo}..{v} + 1", f"{lo}..={v}", f"{v}..{hi}"])
        form = p.pick(["mean({})", "max({})", "0.2 * dot({}, {})", "0.2 * sum({} * {})", "0.3 * sum(softmax({}) * {})",
                       "0.2 * sum(cumsum({}))", "min(sort({}))"])
        return self.filled(form, lambda: slice_of(p, place, tensor, position, bounds))

    # ---- vectors ----

    def vector(self, place, extent, depth):
        p = self.program
        if depth > 0 and p.chance(0.5):
            form = p.pick(["0.5 * ({} + {})", "tanh({})", "softmax({})", "({}) * ({})", "sort({})", "0.4 * cumsum({})",
                           f"0.5 * concat([(1.0 * ({{}}))[1..{extent}], (0.9 * ({{}}))[0..1]])"])
            return self.filled(form, lambda: self.vector(place, extent, depth - 1))
        if p.chance(0.6):
            text = self.read(place, "float", depth, (extent,))
            if text:
                return text
        return "[" + ", ".join(self.number(place, depth - 1) for _ in range(extent)) + "]"

    def of_vector(self, place, depth):
        p = self.program
        extent = p.pick([2, 3])
        form = p.pick([f"(0.9 * ({{}}))[{p.random.randrange(extent)}]", "0.3 * dot({}, {})", "mean({})", "max({})", "0.3 * (({}) @ ({}))",
                       "0.3 * norm(1.5 + tanh({}))"])
        return self.filled(form, lambda: self.vector(place, extent, depth - 1))

    # ---- integers ----

    def integer(self, place, depth):
        p = self.program
        if depth <= 0 or p.chance(0.2):
            if p.chance(0.5):
                text = self.read(place, "int", 0)
                if text:
                    return text
            if place.ranges and p.chance(0.6):
                return self.variable(place)
            return str(p.random.randint(-4, 6))
        if p.chance(0.7):
            form = p.pick(["(({}) + ({})) % 7", "({}) * ({}) % 5", "({}) // 2", "-({}) % 6", "max({}, {})", "min({}, {})",
                           "clip({}, -3, 4)", "abs({}) % 9", "(if ? then {} else {})", "(({}) * 123456789 + 987654321) % 7"])
            if "?" in form:
                form = form.replace("?", self.truth(place, 0))
            return self.filled(form, lambda: self.integer(place, depth - 1))
        binder, inner, names, filled = self.binder(place)
        body = self.integer(inner, depth - 1)
        place.leave(inner, names)
        clause = f"({body} for {binder})"
        return p.pick([f"sum{clause} % 7"] + ([f"max{clause}", f"argmax{clause}", f"argmin{clause}"] if filled else []))

    # ---- booleans ----

    def truth(self, place, depth):
        p = self.program
        if depth > 0 and p.chance(0.4):
            return self.filled(p.pick(["({} and {})", "({} or {})", "not ({})"]), lambda: self.truth(place, depth - 1))
        if p.chance(0.25):
            text = self.read(place, "bool", 0)
            if text and self.varies(text):
                return text
        if p.chance(0.15):
            binder, inner, names, _ = self.binder(place)
            body = self.truth(inner, 0)
            place.leave(inner, names)
            return p.pick([f"any({body} for {binder})", f"all({body} for {binder})"])
        if p.chance(0.3):
            return f"tanh({self.varying(self.number(place, depth), place, 'float')}) > {p.pick(THRESHOLDS)}"
        operator = p.pick(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.varying(self.integer(place, depth), place, 'int')}) {operator} {p.random.randint(-1, 4)}"

    def varying(self, text, place, kind):
        """`text`, or something else where it is known at compile time: then one of the branches would not count as used."""
        if self.varies(text):
            return text
        other = self.read(place, kind, 0)
        if other and self.varies(other):
            return other
        return self.variable(place) if place.ranges else other or text

    def varies(self, text):
        """Whether something in it is known only when the program runs."""
        known = KEYWORDS | {tensor.name for tensor in self.program.tensors if tensor.known}
        return any(name not in known for name in re.findall(r"(?<!\.)\b(?!p\d)[A-Za-z_]\w*\b(?!\()", text))
