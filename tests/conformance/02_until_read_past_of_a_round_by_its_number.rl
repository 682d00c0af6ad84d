# The round before, if there is one.
# fault: past end(s)
index i in 0..2
index s in 0..9 until done
th[0]     = 1.0
done[i,s] = s * th >= 3.0
x[i,s]    = s * th
l[i]      = x[i: max(i - 1, 0), s: 7]
th[i+1]   = th - 0.01 * l
print th[1]
