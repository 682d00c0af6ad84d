# Recurrences of i64.
# expect: x[t=0] = 1
# expect: x[t=1] = 1000
# expect: x[t=2] = 1000000
# expect: x[t=3] = 1000000000
# expect: x[t=4] = 1000000000000
# expect: x[t=5] = 1000000000000000

index t in 0..5
x[0] = i64(1)
x[t+1] = x * 1000
print x
