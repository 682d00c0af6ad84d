# What is read two points further on, at positions that are no shift, finds zero behind the end.
# expect: g = 486.2328
th        = 1.25
index b in 0..4
index s in 0..6 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 4
x[b, s]   = th + n * 0.1
y[b, 0]   = th
y[b, s+1] = 0.5 * y + (if s > 0 then x[b, s: s-1] else x)
v[b, s]   = if s % 2 == 0 then y else x[b, s: max(s-2, 0)]
L         = sum(v * sum(y[b, s: j] * y[b, s: j] for j in s..end(s)) for b, s)
print "g", grad(L, th)
