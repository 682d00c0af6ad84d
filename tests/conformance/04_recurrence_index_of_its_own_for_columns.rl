# Which index comes first does not say which two are one.
# expect: w = 2.1315737
# expect: w = 0.89258015
# expect: w = 0.7648333

param first = 3
index t in 0..20
index c in 0..4
index l in first..20
w[first, c] = 1.0 + c
w[l+1, c]   = w + 0.01 * x[j]
x[0]        = 0.5
j[l, c]     ~ UniformInt(0, l + 1)
x[t+1]      = 0.5 * x + 0.1 * w[l: max(t, first), c: 2] + 0.1 * y
y[0]        = 0.25
y[t+1]      = 0.5 * x + 0.1 * y + sin(x)
print "w", w[20, 1], x[20], x[4]
