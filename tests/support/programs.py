"""Programs that more than one suite runs."""

# Everything is read again at the end, the last point with the first: 8 MB are kept.
KEPT = """
param n = 1000, m = 1000
index b in 0..n
index t in 0..m
x[b, t]  ~ Uniform(0.0, 1.0)
y[b, 0]   = x[b, 0]
y[b, t+1] = sin(y + x[b, t])
report "mean" = mean(y[b: n - 1 - b, t: m - 1 - t] * x for b, t)
print y[b: 7, t: 9], x[b: 3, t: m - 1]
"""
