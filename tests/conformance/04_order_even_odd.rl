# Odd points run forward; each even one reads the odd one after it.
# expect: x[t=0] = 6
# expect: x[t=1] = 5
# expect: x[t=2] = 11
# expect: x[t=3] = 10
# expect: x[t=4] = 21
# expect: x[t=5] = 20
# expect: x[t=6] = 41
# expect: x[t=7] = 40

index t in 0..8
x[t] = if t == 1 then 5 else if t % 2 == 1 then 2 * x[t-2] else x[t+1] + 1
print x
