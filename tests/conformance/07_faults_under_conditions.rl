# Under a condition on data what may fault is computed where it is asked for, even if it is the same at all points, is read twice, or lies behind names.
# expect: a[t=0] = 0
# expect: a[t=1] = 1
# expect: b[t=0] = 2
# expect: b[t=1] = 2
# expect: c[t=0] = [0, 0]
# expect: c[t=1] = [1, 1]
# expect: d[t=0] = 0
# expect: d[t=1] = 0
# expect: e[t=0] = 0
# expect: e[t=1] = 2

index t in 0..2
u      ~ Uniform(0.0, 1.0)
z      = i32(u)
never  = u > 2.0
safe   = require(1.0 + u, never, "a draw above 2")
more   = 2.0 * safe
a[t]   = if never then more + safe else f32(t)
ratio  = 7 // z
b[t]   = if z != 0 then ratio * ratio else 2
both   = require([u, 1.0], never, "a draw above 2")
c[t]   = if never then both else [f32(t), f32(t)]
table  = [3, 4]
k[t]   = t + 5
chosen[t] = table[k[t] + i32(10.0 * u)]
d[t]   = if never then chosen[t] + chosen[t] else 0
n[t]   ~ UniformInt(0, z)
e[t]   = if never then n[t] + n[t] else 2 * t
print a, b, c, d, e
