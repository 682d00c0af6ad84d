# What is not selected does not spoil the gradient.
# expect: taken = 0.25

x = [-1.0, 4.0]
y = if x > 0.0 then sqrt(maximum(x, 0.0)) else 0.0
g = grad(sum(y), x)
print "taken", g[1]
