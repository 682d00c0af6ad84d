# A filter may be false at first and hold later: only that the index has ended ends a sum. What it asks is not asked past the end.
# expect: late = 6.0
# expect: early = 3.0
# expect: most = [0.375, 0.375, 0.375]
index b in 0..3
index s in 0..4 until done
h[b, 0]    = 0.25
h[b, s+1]  = h + 0.125
done[b, s] = h > 0.4
late       = sum(1.0 for b, s if h > 0.3)
early      = sum(1.0 for b, s if h < 0.3)
most[b]    = max(h for s if h < 0.5)
print "late", late
print "early", early
print "most", list(most[k] for k in 0..3)
