# Nor when that of an outer index does.
# same: B=7

param B = 2
index b in 0..B
index t in 0..3
x[b, t] ~ Uniform(0.0, 1.0)
print x
