"""Random programs over an index that ends on a condition, at another point for each lane, and their gradients.

What a tensor reads of others lies before its point, at it or behind it, up to the end; sums have ranges that begin or end there.
No program reads past an end, so none is refused.
"""

import random
import re

NAMES = "xyuvw"


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = []
        self.ahead = []  # those with a point at the end itself
        self.lines = []

    def pick(self, items):
        return self.random.choice(items)

    def read(self, name):
        return self.pick([name, name, name, f"(if s > 0 then {name}[b, s: s - 1] else {name})", f"{name}[b, s: max(s - 2, 0)]",
                          f"{name}[b, s: min(s + 1, end(s) - 1)]", f"{name}[b, s: 0]",
                          f"(if s % 2 == 0 then {name} else {name}[b, s: s - 1])", f"{name}[b, s: clip(n // 2, 0, s)]",
                          f"{name}[b, s: argmax({self.pick(self.names)}[b, s: j] for j in {self.pick(['0..s + 1', 's..end(s)'])})]"])

    def sum(self, name):
        chosen = self.pick(["0..s + 1", "max(0, s - 2)..s + 1", "s..end(s)", "s..min(s + 3, end(s))", "0..end(s)"])
        body = self.pick([f"{name}[b, s: j]", f"{name}[b, s: j] * {name}[b, s: j]", f"p * {name}[b, s: j]", f"{name}[b, s: j] * {self.pick(self.names)}"])
        kept = self.pick(["", "", " if j % 2 == s % 2"])
        return f"{self.pick(['sum'] if kept and chosen != '0..s + 1' else ['sum', 'sum', 'max', 'mean'])}({body} for j in {chosen}{kept})"

    def number(self):
        """At (b, s)."""
        if not self.names:
            return self.pick(["p * n", "p * 0.5", "p + n * 0.1", "p * e"])
        x, y = self.pick(self.names), self.pick(self.names)
        return self.pick([self.read(x), f"({self.read(x)} * {self.pick(['0.5', 'p', 'e', '(0.3 + p)'])})", f"({self.read(x)} + {self.read(y)} * 0.5)",
                          f"0.2 * {self.sum(x)}", f"tanh({self.read(x)})", f"{x} * {y}", f"q[b, i: min(s, 1)] * {x}",
                          f"(if {self.pick(['n % 2 == 0', 's % 2 == 0', 'b % 2 == 1', f'{x} > 0.4', f'any({x}[b, s: j] > 0.3 for j in 0..s + 1)'])} then {self.read(x)} else {self.read(y)})"])

    def later(self, name):
        """At (b, s) and the second index that ends, h."""
        return self.pick([f"k * {name}", f"{name}[b, s: min(h, s)] * k", f"p * k + {name}"])

    def tensor(self, name):
        form = self.random.randrange(9)
        if form in (0, 1):
            start = self.pick(["0.25", "p", "1.0 - p * 0.5"])
            step = self.pick([f"{name} * p + 0.1", f"sin({name}) * 0.7 + {self.number()}", f"0.5 * {name} + {self.number()}"])
            self.lines += [f"{name}[b, 0] = {start}", f"{name}[b, s+1] = {step}"]
            self.ahead.append(name)
        elif form == 2:
            other = self.pick(self.names) if self.names else "e"
            self.lines.append(f"{name}[b, s] = {self.number()} + 0.1 * sum({self.later(other)} for h)")
        elif form == 3:
            self.lines += [f"{name}v[b, s] = [{self.number()}, {self.number()}]", f"{name}[b, s] = dot({name}v, [p, 0.5])"]
        elif form == 4:
            self.system(name, self.pick(["0.25", "p", "e[s: 0] - 0.5"]), self.number())
        else:
            self.lines.append(f"{name}[b, s] = {self.number()}")
        self.names.append(name)

    def system(self, name, start, force):
        """A place and its speed, each the next from both."""
        self.ahead.append(name)
        self.lines += [f"{name}[b, 0] = {start}", f"{name}d[b, 0] = {self.pick(['0.1', 'p * 0.3', '0.2 - 0.1 * b'])}", f"{name}[b, s+1] = {name} + 0.2 * {name}d",
                       f"{name}d[b, s+1] = {name}d {self.pick(['', '* 0.9 '])}+ 0.1 * (sin({name}) + {force})"]

    def text(self):
        lanes, steps = self.pick([1, 2, 3, 4, 5, 17]), self.pick([4, 6, 7, 9])
        start = self.pick(["0.5", "0.8", "1.25"])
        enough, (rate, fastest) = self.random.randint(1, steps - 1), self.pick([("1", 1), ("1 + b", lanes), ("1 + b % 2", min(lanes, 2))])
        done = f"n >= {enough}"
        header = [f"index b in 0..{lanes}", f"index s in 0..{steps} until done", f"index h in 0..{self.pick([3, 5])} until enough", "index i in 0..2"]
        self.lines = ["n[b, 0]   = 0", f"n[b, s+1] = n + {rate}", "enough    = k > 1.5", "q[b, i]  = p * (i + 1) + b * 0.01", "e[b, s]  ~ Uniform(0.0, 1.0)"]
        # h ends for each lane, or for each of its points as well.
        at, add = self.pick([("b", "0.1 * b"), ("b", "0.1 * b"), ("b, s", "0.1 * n"), ("b, s", "0.1 * e[b, s: clip(n // 2, 0, s)]")])
        self.lines += [f"k[{at}, 0]   = p", f"k[{at}, h+1] = k * 1.5 + {add}"]
        if self.random.random() < 0.3:
            self.lines += ["f[b, 0]   = p", f"f[b, s+1] = f * {self.pick(['1.1', '0.9', '1.3'])} + 0.1"]
            done += f" or f > {self.pick(['1.0', '1.37', '2.1'])}"
            self.names.append("f")
            self.ahead.append("f")
        if self.random.random() < 0.3:
            self.lines.append("a[b, s] = tanh(p * g + 0.5 * gd)")
            self.system("g", self.pick(["0.25", "p", "e[s: 0] - 0.5"]), "2.0 * a")
            done += f" or abs(g) > {self.pick(['0.6', '0.9', '1.3'])}"
            self.names += ["g", "a"]
        self.lines.append(f"done      = {done}")
        for name in NAMES[:self.random.randint(2, 5)]:
            self.tensor(name)
        last, other = self.names[-1], self.pick(self.names)
        loss = self.pick([f"sum({last} * {last} for b, s)", f"sum({last} * {self.sum(other)} for b, s)", f"sum({last} for b, s)",
                          f"sum(sum({last} for s) * sum({other} for s) for b)", f"sum({last}[b, s: end(s) - 1] for b)"])
        if self.ahead and self.random.random() < 0.2:
            # Up to the end of the lane that ends first, if by its count.
            points = 2 if " or " in done else -(-enough // fastest) + 2
            first = f"sum(p * {self.pick(self.ahead)}[b, s: j] for b, j in 0..{points})"
            loss = self.pick([first, f"{loss} + {first}"])
        self.lines.append(f"L = {loss}")
        prints = ["print L"]
        if self.random.random() < 0.4:
            prints.append(f"print {self.pick(self.names)}")
        if self.random.random() < 0.25:
            return self.trained(header, start, prints)
        prints.append('print "grad", grad(L, p)')
        if self.random.random() < 0.3:
            prints.append('print "second", grad(grad(L, p), p)')
        if self.random.random() < 0.3:
            prints += [f"m = sum({last} * {other} for s)", 'print "lanes", grad(m, p)']
        return "\n".join(header + [f"param p = {start}"] + self.lines + prints) + "\n"

    def trained(self, header, start, prints):
        """The same for each step of a descent of p."""
        lines = ["p[0]   = p0", "p[r+1] = p - 0.001 * G", "G[r]   = grad(L, p)"]
        lines += [re.sub(r"^(\w+)\[b,", r"\1[r, b,", line) for line in self.lines]
        return "\n".join(["index r in 0..3"] + header + [f"param p0 = {start}"] + lines + prints + ["print G"]) + "\n"


def generate(seed):
    return Maker(seed).text()
