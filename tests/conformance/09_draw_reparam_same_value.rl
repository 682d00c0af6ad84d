# reparam does not change what is drawn.
# expect: y[t=0] = true
# expect: y[t=1] = true
# expect: y[t=2] = true

index t in 0..3
x[t] ~ reparam(Normal(0.0, 1.0))
y = abs(x) < 10.0
print y
