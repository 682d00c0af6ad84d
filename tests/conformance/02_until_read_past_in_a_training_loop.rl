# What is read past the end changes, in a later round, where the index ends.
# fault: past end(s)
index i in 0..4
index s in 0..10 until done
th[0]     = 1.0
n[i, 0]   = 0
n[i, s+1] = n + 1
done      = n * th >= 3.0
x[i, s]   = n * th
l[i]      = x[i, s: 7]
th[i+1]   = th - 0.01 * l
print th
