# The loop reads its first weights in each round, too.
# fault: past end(s)
index i in 0..2
index s in 0..9 until done
th[0]     = 1.0
done[i,s] = s * th >= 3.0
x[i,s]    = s * th
l[i]      = x[s: 7]
th[i+1]   = th - 0.01 * l + 0.1 * th[0]
print th[1]
