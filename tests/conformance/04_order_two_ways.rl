# One tensor that runs backward from the middle and forward from it.
# expect: x[t=0] = 3
# expect: x[t=1] = 2
# expect: x[t=2] = 1
# expect: x[t=3] = 0
# expect: x[t=4] = 10
# expect: x[t=5] = 20
# expect: x[t=6] = 30

index t in 0..7
x[t] = if t < 3 then x[t+1] + 1 else if t == 3 then 0 else x[t-1] + 10
print x
