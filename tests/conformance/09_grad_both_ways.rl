# From the middle both ways, so the gradient goes to the middle from both ends; in an order for each half, with and without
# the passes that would tell the halves apart.
# By finite differences in f64.
# expect: g[t=0] = 0.2205042
# expect: g[t=1] = 0.3553917
# expect: g[t=2] = 0.5728487
# expect: g[t=3] = 0.2310586
# args: --disable-pass=dead-code --disable-pass=simplify --disable-pass=common-subexpressions
index t in 0..4
y[t] = if t < 2 then tanh(0.7 * y[t + 1] + 0.15) else if t == 2 then 0.5 else tanh(0.7 * y[t - 1] + 0.15)
L = mean(y ^ 2 for t)
g = grad(L, y)
print g
