# What a function defines inside, or calls its parameters, says nothing about the program's tensors of the same names: they may come from its result.
use std.nn.Mlp
use std.wrappers.running_return

index t in 0..3
fn first(network) {
  w ~ network.init()
  { w = 0.0 * leaves(w)[0] + offset[0], size = len(leaves(w)) }
}
module Twice(w) {
  v(x)     = w * x
  apply(x) = v(x)
}
run = first(Mlp(1, [1], 1))
w   = run.w
v   = w[0, 0] + run.size
x[t] = v + t
offset[t] = 1.0
print w
# expect: w = [[1]]
print x each 1 t
# expect: x[t=0] = 5
# expect: x[t=1] = 6
# expect: x[t=2] = 7
twice = Twice(2.0)
y = twice(x[2])
print y
# expect: y = 14

# Nor does what a library function defines: `before`, by running_return.
gained[t] = running_return(x, false)
before = gained[2]
print before
# expect: before = 18
