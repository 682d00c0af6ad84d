# Extremes and means of what is left up to an end are not asked for behind it, in sums and in recurrences.
# expect: L = 0.5
# expect: total = 13.931251
# expect: means = 0.5
index b in 0..2
index s in 0..4 until done
n[b, 0]   = 0
n[b, s+1] = n + 1
done      = n >= 1
x[b, s]   = 0.5 * n
L         = sum(x * max(x[b, s: j] for j in s..end(s)) for b, s)
print L

index i in 0..4
index t in 0..7 until over
m[i, 0]   = 0
m[i, t+1] = m + 1 + i % 2
over      = m >= 5
z[i, t]   = 0.5 * m
y[i, 0]   = 0.1
y[i, t+1] = 0.5 * y + 0.2 * max(z[i, t: j] for j in t..end(t))
total     = sum(y for i, t)
print total
w[b, 0]   = 0.0
w[b, s+1] = 0.5 * w + mean(x[b, s: j] for j in s..end(s))
print "means", sum(w for b, s)
