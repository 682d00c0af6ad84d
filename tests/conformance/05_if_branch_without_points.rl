# A condition that is tried out at compile time and holds nowhere: its branch has no points.
# args: --disable-pass=fold-constants
# expect: L[c=0] = 0.3527
# expect: L[c=1] = 0.3527
# expect: L[c=2] = 0.3527
# expect: L[c=3] = 0.3527
# tolerance: 1e-4
index b in 1..4
index c in 0..4
index t in 0..4
x[c, t + 2] = 0.5
x[c, 1] = 0.5
y[b, c, t] = if t == 0 then cos(x[c // 2, t + 1]) else tanh((if ((c // 2) * 123456789 + 987654321) % 7 < 2 then max(sort([x[c: 1, t: max(c, 0)], y[b: t, t: t - 1], y[b, c, t - 1]])) else 0.5))
L = mean(y ^ 2 for b, t)
print L
