# Where the index ends decides about the next round, in which it is asked for: no fault.
# expect: th[i=0] = 1.0
# expect: th[i=1] = 0.98
# expect: th[i=2] = 0.9604
# expect: th[i=3] = 0.941192
# expect: th[i=4] = 0.9223682
index i in 0..4
index s in 0..10 until done
th[0]     = 1.0
n[i, 0]   = 0
n[i, s+1] = n + 1
done      = n * th >= 3.0
x[i, s]   = n * th
l[i]      = x[i, s: 2]
th[i+1]   = th - 0.01 * l
print th
