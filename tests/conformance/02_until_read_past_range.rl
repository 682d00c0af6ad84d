# A range of its own goes on past the end.
# fault: past end(s)
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 5
h[b, s]   = 1.0 * n
print "max", max(h[b, s: j] for b, j in 0..4)
