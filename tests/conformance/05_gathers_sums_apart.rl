# Two sums over parts of what is gathered, each of which a later part is computed from: a record of all would wait for itself.
# tolerance: 1e-5
# expect: g = [354.0, 1211.52, 1700.0688, 1936.0842, 1356.04, 1559.6833, 1620.7567, 1601.157, 1951.456, 1698.3203, 1505.3713, 1353.503, 2274.3394, 1722.2196, 1382.6434, 1165.4314]
index a in 0..4
index b in 0..4
index c in 0..8
index m in 0..64
i[m]         ~ UniformInt(0, 8)
p[a]         ~ UniformInt(0, 4)
q[b]         ~ UniformInt(0, 4)
x[0, b, c]   = 1.0 + b + c
x[a+1, b, c] = x[a, b, c] * 0.5 + r1[a]
y[a, 0, c]   = 2.0 + a * c
y[a, b+1, c] = y[a, b, c] * 0.5 + r2[b]
z[a, b, c]   = 0.25 * a + b - c
r1[a]        = 0.01 * sum(x[a, q[k], c] for k in 0..4, c)
r2[b]        = 0.01 * sum(y[p[k], b, c] for k in 0..4, c)
g[a, b, m]   = x[a, b, i[m]] * y[a, b, i[m]] + z[a, b, i[m]]
print "g", list(sum(g[k, l, m] for m) for k in 0..4, l in 0..4)
