# print of a point is one line with the source text.
# expect: x[T] = 0.125
# expect: x[1] = 0.5

param T = 3
index t in 0..T
x[0] = 1.0
x[t+1] = x / 2.0
print x[T]
print x[1]
