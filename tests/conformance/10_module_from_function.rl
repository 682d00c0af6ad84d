# A part of a module may be what a function makes, also one that calls others or itself: its weights are the module's.
# expect: first = [3.0, 3.0]
# expect: last = 12.0
# expect: y = 36.0

module Scale(n: int, by = 1.0) {
  weight c: f32[n] = by
  apply(x: f32[n]) -> f32[n] = c * x
}
module Chain(first, rest) {
  apply(x) = rest(first(x))
}
fn tripled(n) = Scale(n, by = 3.0)
fn chained(n, depth) = if depth == 0 then tripled(n) else Chain(tripled(n), chained(n, depth - 1))
module Net() {
  first = tripled(2)
  parts = chained(2, 1)
  apply(x) = sum(parts(first(x)))
}
net = Net()
w   ~ net.init()
print "first", w.first.c
print "last", sum(leaves(w)[0]) + sum(w.parts.first.c)
print "y", net(w, [1.0, 1.0 / 3.0])
