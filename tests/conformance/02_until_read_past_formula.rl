# What is a formula of its index has no value past the end, either.
# fault: past end(s)
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 5
h[b, s]   = 2.0 * s
at[b]     = h[b, s: 4]
print "sum", sum(at for b)
