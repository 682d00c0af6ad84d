# A value that an equation keeps for the next step, and that others read in this one: momentum. Where it is also read
# at a point that is not kept, or only every other step keeps it.
# expect: M = 159.1875
# expect: w = -3.80625
# expect: w = -65.081245
# expect: x = 12.0
# expect: x = 8.5
# expect: y[i=0] = 3160.0
# expect: y[i=1] = 4820.0
# expect: y[i=2] = 5730.0
# expect: y[i=3] = 6265.0
# expect: y[i=4] = 5180.0
index i in 0..5
k      = arange(80)
g[i]   = 1.0 * k + i
M[0]   = zeros([80])
m      = 0.5 * M + g
M[i+1] = m
w[0]   = zeros([80])
w[i+1] = w - 0.1 * m
H[0]   = zeros([80])
h      = 0.5 * H + g
H[i+1] = if i % 2 == 0 then h else H
x[0]   = zeros([80])
x[i+1] = x + h
E[0]   = zeros([80])
e      = 0.5 * E + g
E[i+1] = e where i < 3
E[i+1] = g where i >= 3
y[i]   = sum(e)
print "M", M[5][79]
print "w", w[5][3], w[5][79]
print "x", x[5][0], H[5][2]
print "y", y[i]
