# The values of a recurrence may be vectors.
# expect: x[t=0] = [1.0, 0.0]
# expect: x[t=1] = [1.5, 1.25]
# expect: x[t=2] = [1.4375, 2.0]
# expect: x[t=3] = [1.21875, 2.359375]

M = [[0.5, -0.25], [0.25, 0.5]]
index t in 0..3
x[0] = [1.0, 0.0]
x[t+1] = M @ x + 1.0
print x
