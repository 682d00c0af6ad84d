# The gradient of a gradient's norm.
# expect: h = [84.0, 328.0]

w = [1.0, 2.0]
f = w[0] ^ 2 * w[1] + w[1] ^ 3
g = grad(f, w)
h = grad(sum(g * g), w)
print h
