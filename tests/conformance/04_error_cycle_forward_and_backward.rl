# Two recurrences in opposite directions that need each other.
# error: E???? 7:1 x y

param T = 3
index t in 0..T
x[0] = 0
x[t+1] = x + y[t+1]
y[T] = 0
y[t] = y[t+1] + x[t+1]
