# begin(t) and end(t) may stand on the left.
# expect: x[t=2] = 1.0
# expect: x[t=3] = 2.0
# expect: x[t=4] = 3.0
# expect: x[t=5] = 4.0
# expect: y[t=2] = 3.0
# expect: y[t=3] = 2.0
# expect: y[t=4] = 1.0
# expect: y[t=5] = 0.0

index t in 2..5
x[begin(t)] = 1.0
x[t+1] = x + 1.0
y[t] = y[t+1] + 1.0
y[end(t)] = 0.0
print x
print y
