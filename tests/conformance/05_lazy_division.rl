# Laziness keeps run-time errors away, too.
# expect: y[t=0] = -6
# expect: y[t=1] = -12
# expect: y[t=2] = 0
# expect: y[t=3] = 12

index t in 0..4
y = if t == 2 then 0 else 12 // (t - 2)
print y
