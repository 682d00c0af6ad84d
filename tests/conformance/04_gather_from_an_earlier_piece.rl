# A piece that reads at a place that data say, where the data come from another piece of the same tensor: only that piece's place
# depends on them.
# expect: z[0..5] = [1.5, 2.0, 0.0, 0.5, 1.0]
# expect: last = 7.0
index t in 0..5
x[t, 0] = 1.0 * t
x[t, 1] = x[t, 0] * 0.5
j[t]    = (i32(2.0 * x[t, 1]) + 3) % 5
x[t, 2] = x[j[t], 1]
z[t] = x[t, 2]
print z[0..5]

index k in 0..4
y[k] = 1.0 + 2.0 * k
best = argmax(y[0..4])
y[4] = y[best]
print "last", y[4]
