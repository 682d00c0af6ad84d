# A lazy condition keeps an empty max away.
# expect: y[t=0] = 0.0
# expect: y[t=1] = 3.0
# expect: y[t=2] = 3.0
# expect: y[t=3] = 4.0
# expect: y[t=4] = 4.0

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

y = if t == 0 then 0.0 else max(x[k] for k in 0..t)
print y
