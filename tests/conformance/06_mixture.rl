# Declared indices and range variables mix.
# expect: y[t=0] = 10
# expect: y[t=1] = 22
# expect: y[t=2] = 36

index b in 0..2
index t in 0..3
x = 10 * b + t
y[t] = sum(x[k] for b, k in 0..t+1)
print y
