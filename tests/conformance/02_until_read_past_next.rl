# The last point reads the next, which is past the end.
# fault: past end(s)
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 5
h[b, s]   = 1.0 * n
g[b, s]   = h[b, s+1] where s < 6
g[b, 6]   = 0.0
print "sum", sum(g for b, s)
