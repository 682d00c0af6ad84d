# The lanes of c run as loops of several widths, which share what is private to a lane: it must have room for the widest.
# Expected values: central differences of z[c]^2 + y^2 in u = 0.3, in f64.
# expect: g[c=0] = 1.0663638
# expect: g[c=1] = 0.6150504
# expect: g[c=2] = 0.5305630
# expect: g[c=3] = 0.5457258

index c in 0..4
index t in 1..4
u            ~ reparam(Normal(0.3, 0.0))
y[end(c), t] = tanh(u)
y[c, t]      = clip(y[c+1], -1.3, 1.2)
z[t, c+1]    = tanh(0.6 * z +
  0.4 * (0.2 * dot(y[0..5, t], y[c: 0..5, t: t]) - u * 0.7 - 0.2 * y[t%3+1]))
z[t, 0]      = min(sort(y[c: max(0, min(t+2, 4)), t: 1..4]))
L            = mean(z^2 for t) + mean(y^2 for t)
g            = grad(L, u)
print g
