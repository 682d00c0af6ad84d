# Recurrences of f64 keep its precision.
# tolerance: 1e-9
# expect: x[t=0] = 0.2
# expect: x[t=1] = 0.592
# expect: x[t=2] = 0.8936832
# expect: x[t=3] = 0.3515500907
# expect: x[t=4] = 0.8434617104
# expect: x[t=5] = 0.4885259978
# expect: x[t=6] = 0.9245128849

index t in 0..6
x[0] = f64(0.2)
x[t+1] = 3.7 * x * (1.0 - x)
print x
