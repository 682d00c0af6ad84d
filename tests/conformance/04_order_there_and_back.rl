# Forward, backward over the result, forward over that and the first reversed.
# expect: c[t=0] = 30
# expect: c[t=1] = 7
# expect: c[t=2] = -13
# expect: c[t=3] = -28
# expect: c[t=4] = -36

param T = 4
index t in 0..T
a[0] = 1
a[t+1] = a + 1
b[t in 0..=T] = 2 * a + (if t < T then b[t+1] else 0)
c[0] = b[0]
c[t+1] = c - b[t+1] + a[T - t]
print c
