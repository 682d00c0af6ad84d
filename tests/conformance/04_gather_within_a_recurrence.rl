# A recurrence that reads another point of what it computes, at a place that data say and nothing bounds: the point before along
# the index that it goes along, so there is an order.
# expect: v[t: 3, 0..4] = [0.5, 3.0, 2.5, 1.5]
# expect: last = 9.0
index e in 0..2
index t in 0..3
index k in 0..4
x[0]   = 1
x[t+1] = x + 2 - 3 * (t % 2)             # 1, 3, 2, 4
v[0, k]   = 0.5 * k
read[t]   = v[k: x]
v[t+1, k] = if k == x - 1 then v + read else v
print v[t: 3, 0..4]

# Of rounds, each of which begins with what the one before has left, and has an end of its own.
index s in 0..5 until done
W[0, k]      = 1.0
w[e, 0, k]   = W
y[e, 0]      = e
y[e, s+1]    = y + 1
done         = y == 2 + e
got[e, s]    = w[k: y] + 0.5
w[e, s+1, k] = if k == (y + 1) % 4 then got else w
W[e+1, k]    = w[s: end(s)]
print "last", sum(W[e: 2, 0..4])
