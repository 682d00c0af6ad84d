# A gather in a recurrence counts as a read of its whole range, which may mention indices.
# expect: x[t=0] = 1
# expect: x[t=1] = 2
# expect: x[t=2] = 4
# expect: x[t=3] = 7
# expect: x[t=4] = 8

index t in 0..5
u = [0, -7, 1, 9, 2]
x[t] = if t == 0 then 1 else x[clip(u[t], 0, t - 1)] + t
print x
