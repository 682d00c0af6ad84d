# What is the same for all of the lanes that an index ends for is read at a point: it ends for none of them.
# expect: lr = 0.5
# expect: lr = 0.25
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 5
lr[0]     = 1.0
lr[s+1]   = lr * 0.5
print "lr", lr[1]
print "lr", lr[2]
