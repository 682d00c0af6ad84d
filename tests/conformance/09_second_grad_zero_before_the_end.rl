# Zero at this p, not past an end: what it is multiplied by counts in its derivative.
# expect: sums = 658.0
# expect: last = 58.0
# expect: differences = 8.0
index b in 0..3
index s in 0..6 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 3
p         = 0.5
x[b, s]   = (p - 0.5) * (1.0 + s)
y[b, s]   = p * (1.0 + s)
suffix    = sum(x[b, s: k] for k in s..end(s))
last      = sum(x[b, s: end(s)-1]^2 for b)
steps     = sum((y[b, s: max(s-1, 0)] - y[b, s: 0]) * (p - 0.5) for b, s)
print "sums", grad(grad(sum(suffix^2 for b, s), p), p)
print "last", grad(grad(last, p), p)
print "differences", grad(grad(steps, p), p)
