# What an iteration simulates stands in the loop over its updates, in the first of them: a step keeps what the next one, later updates and the
# next iteration read. Whole numbers, so that all sums are exact.
# expect: w = [4.0, 5.0, 10.0, 8.0, 1.0, 5.0]
# expect: x = 16.0
# expect: far = 114.0
# expect: v = 3.0
index i in 0..4
index u in 0..3
index b in 0..40
index t in 0..7

w[0, 0]      = 1.0
x[0, b, 0]   = f32(b)
x[i, b, t+1] = (x + h) % 19.0
x[i+1, b, 0] = x[i, b, 7] + f32(i)
h[i, b, t]   = (2.0 * x + w[i, 0]) % 23.0
far[i, b, t] = h * x
v[i, b, t]   = (v[i, b, t+1] + far) % 31.0
v[i, b, 7]   = x[i, b, 5]
k[i, b, t+1] = (k[i, b, t] + h[i, b, t]) % 3.0
k[i, b, 0]   = 0.0
g[i, u]      = sum((far[i, b, 6] * w[i, u] + v[i, b, 2] + k[i, b, 4]) % 17.0 for b)
w[i, u+1]    = (w + g) % 13.0
w[i+1, 0]    = w[i, 3]

print "w", [w[0, 1], w[0, 2], w[0, 3], w[1, 2], w[2, 1], w[3, 3]]
print "x", x[4, 5, 0]
print "far", far[3, 39, 6]
print "v", v[3, 7, 0]
