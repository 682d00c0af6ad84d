# A tensor that is the same for all b is read at a point that some b don't reach.
# fault: past end(s)
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 5
h[b, 0]   = 0.5
h[b, s+1] = h * 0.5
at[b]     = h[s: 4]
print "sum", sum(at for b)
