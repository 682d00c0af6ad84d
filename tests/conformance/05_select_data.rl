# A condition on data selects; both branches are readable.
# expect: y[t=0] = -1
# expect: y[t=1] = 1
# expect: y[t=2] = -5
# expect: y[t=3] = 9

index t in 0..4
u = [0.1, 0.9, 0.4, 0.6]
x = t * t
y = if u[t] > 0.5 then x else -x - 1
print y
