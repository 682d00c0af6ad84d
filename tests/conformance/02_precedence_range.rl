# .. binds least: bounds are whole expressions.
# expect: x[t=1] = 1
# expect: x[t=2] = 2
# expect: x[t=3] = 3

param n = 2
index t in n - 1..n + 2
x[t] = t
print x
