# Chains of lazy conditions.
# expect: x[t=0] = 1
# expect: x[t=1] = 2
# expect: x[t=2] = 3
# expect: x[t=3] = 20
# expect: x[t=4] = 23
# expect: x[t=5] = 200

index t in 0..6
x[t] = if t == 0 then 1 else if t == 1 then 2 else if t % 2 == 0 then x[t-1] + x[t-2] else 10 * x[t-2]
print x
