# Also where two indices have the same declared bounds.
# error: E???? 8:9 b t

param n = 3
index b in 0..n
index t in 0..n
x = 10 * b + t
y = sum(x[k] for k in 0..n)
