# y = x where x lacks a point of the declared range.
# error: E???? 7:5 x t=0

param T = 4
index t in 0..T
x[t in 1..T] = f32(t)
y = x
