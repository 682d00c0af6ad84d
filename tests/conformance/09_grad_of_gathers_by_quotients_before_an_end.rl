# Where a gradient goes is known past an end, too, though what says it may fault: zero is added there.
# expect: grad = 432.0
index b in 0..5
index s in 0..12 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b % 3
done      = n >= 4 + b
p         = 0.7
x[b, s]   = p * (1.0 + s) + 0.1 * b
k[b, s]   = min((5 * n) // (n + 1), s)
L         = sum(x[b, s: k] * x[b, s: k] for b, s)
print "grad", grad(L, p)
