# y[t in 1..T] = x mends it.
# expect: y[t=1] = 2.0
# expect: y[t=2] = 4.0

param T = 3
index t in 0..T
x[t in 1..T] = f32(t)
y[t in 1..T] = 2.0 * x
print y
