# What is the same at all points of an index has no value past its end, either.
# fault: past end(s)
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 5
lr[b, s]  = 0.5
at[b]     = lr[b, s: 4]
print "at", at
