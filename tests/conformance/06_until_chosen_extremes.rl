# What the program chooses by data and sums up to its own point is not asked for past the end.
# expect: total = 10.0
index b in 0..3
index s in 0..9 until done
n[b, 0]    = 0
n[b, s+1]  = n + 1 + b
done       = n >= 4
x[b, s]    = 0.5 * s
high[b, s] = if any(x[b, s: j] > 0.3 for j in 0..s+1)
  then x[b, s: argmax(x[b, s: j] for j in s..end(s))] else x[b, s: 0]
v[b, 0]    = 0.0
v[b, s+1]  = v + 0.5 * sum(high[b, s: j] * x for j in 1..s+1 if j % 2 == s % 2)
print "total", sum(v[b, s: end(s)] for b)
