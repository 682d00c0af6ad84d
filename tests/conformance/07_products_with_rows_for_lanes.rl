# Products of matrices that are written with indices and of which each row goes its own way: rows are the lanes, of which the last
# block has fewer, a block has several columns' sums at once, of which the last ones are fewer; small integers, so that all sums are
# exact.
# expect: x = [0.0, 41.0, 103.0, -3.0, 82120.0]
# expect: best = [60.0, 60.0, 0.0, 1489260.0]
index s in 0..5
index i in 0..45
index j in 0..61
index k in 0..61

w[k, j]      = 1.0 * ((5 * k + 2 * j + k * j) % 3) - 1.0
u[k, j]      = 1.0 * ((3 * k + 4 * j + k * j) % 5) - 2.0
x[0, i, j]   = 1.0 * ((7 * i + 3 * j) % 5) - 2.0
x[s+1, i, j] = max(sum(x[s, i, l] * w[l, j] for l in 0..61), -3.0)
y[s, i, j]   = sum((x[s, i, l] + 1.0) * u[l, j] for l in 1..61)
best[s, i]   = max(y[s, i, j] for j)

print "x", [x[1, 3, 5], x[2, 44, 60], x[3, 20, 0], x[5, 44, 60], x[5, 0, 59]]
print "best", [best[0, 3], best[1, 44], best[2, 0], best[4, 44]]
