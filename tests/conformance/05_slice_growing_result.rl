# A slice of varying length may be a result.
# expect: y[t=0] = [2]
# expect: y[t=1] = [2, 4]
# expect: y[t=2] = [2, 4, 6]
# expect: c[t=0] = [1]
# expect: c[t=1] = [1, 3]
# expect: c[t=2] = [1, 3, 6]

index t in 0..3
x = t + 1
y = 2 * x[0..t+1]
print y
c = cumsum(x[0..t+1])
print c
