# The gradient's sums run over `t` and `d` inside of equations over `t` and `d`.
# By finite differences in f64.
# expect: g[c=1, t=0, d=-1] = 0.332826
# expect: g[c=1, t=0, d=0] = 0.33271414
# expect: g[c=1, t=1, d=-1] = 0.332826
# expect: g[c=1, t=1, d=0] = 0.332826
# expect: g[c=1, t=1, d=1] = 0.332826
# expect: g[c=2, t=0, d=-1] = 0.0201119
# expect: g[c=2, t=0, d=0] = 0.01966606
# expect: g[c=2, t=1, d=-1] = 0.0201119
# expect: g[c=2, t=1, d=0] = 0.0201119
# expect: g[c=2, t=1, d=1] = 0.0201119
# expect: g[c=3, t=0, d=-1] = 0.032427438
# expect: g[c=3, t=0, d=0] = 0.032427438
# expect: g[c=3, t=1, d=-1] = 0.032427438
# expect: g[c=3, t=1, d=0] = 0.032427438
# expect: g[c=3, t=1, d=1] = 0.032427438
index c in 1..4
index t in 0..2
index d in -1..=t
fn f(x: f32, y: f32) -> f32 = if x > 0.07 then x * y else 0.3 * y
y[1, t, d] = 0.5
y[c + 1, t, d] = sin(f(0.35 - 0.2 * y, 0.5) / (3.5 + tanh(y[c, 0, 0])))
L = mean(y ^ 2 for c)
g = grad(L, y)
print g
