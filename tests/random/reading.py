"""Reads of tensors at points that are provably defined, in all the forms that the language has."""

from model import shifted


def subscript(program, place, ints, lo, hi, own):
    """An expression within lo..hi; None to keep the own index `own`."""
    options = []
    if own in place.ranges and within(place.ranges[own], lo, hi):
        options += [None] * 5
    for name, (least, greatest) in place.ranges.items():
        low, high = lo - least, hi - 1 - greatest
        if low <= high:
            options += [shifted(name, program.random.randint(max(low, -3), min(high, 3)) if low <= 3 and high >= -3 else low)] * 2
        offset = program.random.randint(-2, 2)
        options.append(f"max({lo}, min({shifted(name, offset)}, {hi - 1}))")
        if least + offset >= lo:
            options.append(f"min({shifted(name, offset)}, {hi - 1})")
        if greatest + offset <= hi - 1:
            options.append(f"max({shifted(name, offset)}, {lo})")
        if within((least // 2, greatest // 2), lo, hi):
            options.append(f"{name} // 2")
        options.append(shifted(f"{name} % {program.random.randint(1, hi - lo)}", lo))
        if hi - 1 - (greatest - least) >= lo:
            options.append(f"{lo + greatest} - {name}")
    options.append(str(program.random.randint(lo, hi - 1)))
    if ints is not None and program.chance(0.3):
        return f"clip({ints()}, {lo}, {hi - 1})"
    chosen = program.pick(options)
    for name in place.ranges:
        if chosen is None and name == own or chosen is not None and name in words(chosen):
            place.used.add(name)
    return chosen


def within(interval, lo, hi):
    return lo <= interval[0] and interval[1] < hi


def words(text):
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def entries(program, tensor, chosen):
    """NAME[...] for one subscript (or None) for each position."""
    changed = [(dim[0], text) for dim, text in zip(tensor.dims, chosen) if text is not None]
    if not changed:
        return tensor.name
    style = program.random.random()
    if style < 0.4 and len(tensor.dims) > 1:
        return f"{tensor.name}[" + ", ".join(f"{name}: {text}" for name, text in changed) + "]"
    own_names = {dim[0] for dim in tensor.dims}
    if len(changed) == 1 and len(tensor.dims) > 1 and "clip" not in changed[0][1]:
        if own_names & set(words(changed[0][1])) == {changed[0][0]}:
            return f"{tensor.name}[{changed[0][1]}]"
    return f"{tensor.name}[" + ", ".join(text or dim[0] for dim, text in zip(tensor.dims, chosen)) + "]"


def element(program, tensor, text, wanted_shape):
    """Cuts an element of `wanted_shape` out of the tensor's value; the text may be bare."""
    if tensor.shape == wanted_shape:
        return text
    inside = ", ".join(str(program.random.randrange(extent)) for extent in tensor.shape)
    if not tensor.dims:
        return f"{text}[{inside}]"
    return f"{text}[..][{inside}]" if "[" not in text else f"{text}[{inside}]"


def finish(tensor, text):
    if tensor.field:
        text += f".{tensor.field}"
    return f"tanh({text})" if tensor.wild else text


def parent_of(program, tensor):
    """(position of the parent, position of the child) of a triangular tensor, else None."""
    names = [dim[0] for dim in tensor.dims]
    for position, name in enumerate(names):
        parent = program.indices[name].parent if name in program.indices else ""
        if parent:
            return names.index(parent), position
    return None


def subscripts(program, place, tensor, ints, fixed=None):
    """One for each position, `fixed` ones as they are; those of a triangular pair go together."""
    fixed = dict(fixed or {})
    triangle = parent_of(program, tensor)
    if triangle:
        parent, child = triangle
        names = tensor.dims[parent][0], tensor.dims[child][0]
        if all(name in place.ranges for name in names) and program.chance(0.7):
            fixed[parent] = fixed[child] = None
            place.used.update(names)
        else:
            at = program.random.randint(tensor.dims[parent][1], tensor.dims[parent][2] - 1)
            fixed[parent], fixed[child] = str(at), str(program.random.randint(tensor.dims[child][1], at))
    return [
        fixed[at] if at in fixed else subscript(program, place, ints, lo, hi, name)
        for at, (name, lo, hi) in enumerate(tensor.dims)
    ]


def point_read(program, place, tensor, ints, shape):
    """A read of `tensor` at one point, for its value or a scalar element of it."""
    chosen = subscripts(program, place, tensor, ints)
    return finish(tensor, element(program, tensor, entries(program, tensor, chosen), shape))


def history_read(program, place, history, shape):
    """A read of a tensor that is being defined, at a point that comes before."""
    tensor = history.tensor
    position = [name for name, _, _ in tensor.dims].index(history.index)
    offset = program.random.randint(history.first, history.last)
    place.used.add(history.index)
    chosen = subscripts(program, place, tensor, None, {position: None if offset == 0 else shifted(history.index, offset)})
    return finish(tensor, element(program, tensor, entries(program, tensor, chosen), shape))


def slice_of(program, place, tensor, position, bounds):
    """NAME with the slice `bounds` at one position and a point at each other one."""
    chosen = []
    for at, (name, lo, hi) in enumerate(tensor.dims):
        chosen.append(bounds if at == position else subscript(program, place, None, lo, hi, name))
    if len(tensor.dims) > 1 and program.chance(0.5):
        changed = [f"{dim[0]}: {text}" for dim, text in zip(tensor.dims, chosen) if text is not None]
        return f"{tensor.name}[" + ", ".join(changed) + "]"
    return f"{tensor.name}[" + ", ".join(text or dim[0] for dim, text in zip(tensor.dims, chosen)) + "]"
