# A recurrence that is reset at some points.
# expect: x[t=0] = 1
# expect: x[t=1] = 2
# expect: x[t=2] = 3
# expect: x[t=3] = 100
# expect: x[t=4] = 101
# expect: x[t=5] = 102
# expect: x[t=6] = 100

index t in 0..6
x[0] = 1
x[t+1] = x + 1 where (t + 1) % 3 != 0
x[t+1] = 100 where (t + 1) % 3 == 0
print x
