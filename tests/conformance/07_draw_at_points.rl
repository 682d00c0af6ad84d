# A draw may be restricted to some points.
# expect: y[t=0] = true
# expect: y[t=1] = false
# expect: y[t=2] = true
# expect: y[t=3] = false
# expect: y[t=4] = true
# expect: y[t=5] = false

index t in 0..6
x[t] ~ Normal(0.0, 1.0) where t % 2 == 0
x[t] = 100.0 where t % 2 == 1
y = abs(x) < 50.0
print y
