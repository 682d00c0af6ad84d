# Two networks of a batch, whose values meet in the smaller one: each has loops of its own, which run side by side. Steps follow their gradients.
# tolerance: 1e-4
# expect: loss[u=0] = 0.040042557
# expect: loss[u=1] = 0.074283294
# expect: first = [0.15476727, -0.052420408, 0.13624999, -0.05339187]
# expect: weights = [29.392967, 59.451466, 0.02531674, -0.027877465]
index u in 0..2
index s in 0..128
index r in 0..112
index c in 0..112

v[r, c] = 0.01 * ((3 * r + 5 * c) % 7) - 0.03
w[r, c] = 0.01 * ((5 * r + 3 * c) % 11) - 0.05
z[s, c] = 0.1 * ((s + 3 * c) % 9) - 0.3
x[s]    = z[s, 0..112]

a[0] = v[0..112, 0..112]
b[0] = w[0..112, 0..112]

first[u, s]  = mean(tanh(a[u] @ x[s]))
second[u, s] = mean(tanh(b[u] @ x[s]))
loss[u]      = mean((min(first[u, s], second[u, s]) - 0.2)^2 for s)

a[u+1] = a[u] - 20.0 * grad(loss[u], a[u])
b[u+1] = b[u] - 20.0 * grad(loss[u], b[u])

print loss
print "first", [first[1, 3], first[1, 100], second[1, 64], second[1, 5]]
print "weights", [sum(a[1]), sum(b[1]), a[1][3, 5], b[1][100, 17]]
