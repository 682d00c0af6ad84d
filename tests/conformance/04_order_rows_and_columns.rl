# Each row starts from the end of the row before and reads that row along.
# expect: x[i=0, t=0] = 1
# expect: x[i=0, t=1] = 2
# expect: x[i=0, t=2] = 4
# expect: x[i=0, t=3] = 8
# expect: x[i=1, t=0] = 9
# expect: x[i=1, t=1] = 16
# expect: x[i=1, t=2] = 28
# expect: x[i=1, t=3] = 48
# expect: x[i=2, t=0] = 49
# expect: x[i=2, t=1] = 82
# expect: x[i=2, t=2] = 136
# expect: x[i=2, t=3] = 224

index i in 0..3
index t in 0..4
x[i, t] = if t == 0 then (if i == 0 then 1 else x[i-1, 3] + 1) else 2 * x[i, t-1] - (if i > 0 then x[i-1, t] else 0)
print x
