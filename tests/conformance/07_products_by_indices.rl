# Products of matrices that are written with indices: a chain of them; a factor that is computed beside
# its sum, the largest of a row's sums, sums over a part of a row, which may be empty; small integers, so that all sums are exact.
# expect: x = [4645.0, 10.0, 5.0, 1.0]
# expect: y = [26265.0, 148.0, -123.0]
# expect: z = [18420.0, 148.0, 234.0]
# expect: part = [5817.0, 0.0, -23.0, -15.0]
# expect: lowest = [-14438.0, -5.0]
index s in 0..4
index i in 0..37
index j in 0..29
index e in 0..3

w[i, j] = 1.0 * ((5 * i + 2 * j + i * j) % 7) - 3.0

x[0, i, j]   = 1.0 * ((7 * i + 3 * j) % 5) - 2.0
x[s+1, i, j] = sum(x[s, i, l] * w[l, j] for l in 0..29) % 11.0

y[e, i, j] = sum((x[2, i, l] + 1.0 * e) * w[j, l] for l in 0..29)
z[e, i]    = max(y[e, i, j] for j)

part[i, j]   = sum(x[3, i, l] * w[l, j] for l in j..min(i, 29))
lowest[i, j] = min(x[3, i, l] * w[l, j] for l in j..29)

print "x", [sum(sum(x[4, i, j] for j) for i), x[4, 3, 5], x[4, 36, 28], x[2, 20, 0]]
print "y", [sum(sum(y[2, i, j] for j) for i), y[0, 3, 5], y[1, 36, 28]]
print "z", [sum(sum(z[e, i] for i) for e), z[0, 3], z[2, 36]]
print "part", [sum(sum(part[i, j] for j) for i), part[3, 5], part[3, 1], part[36, 28]]
print "lowest", [sum(sum(lowest[i, j] for j) for i), lowest[3, 5]]
