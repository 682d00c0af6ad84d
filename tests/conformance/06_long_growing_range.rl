# Reductions over ranges that grow with an index from nothing to more than a block of lanes, and that each point of a recurrence needs.
# expect: n = 46
# expect: n = 11
# expect: n = 40
# expect: n = 37
# expect: n = 21
# expect: n = 29
# expect: some = 79
# expect: some = 75
# expect: some = 0
# expect: some = 154121
# expect: f = 0.09
# expect: f = 0.29607753
# expect: f = 0.46247632
# expect: f = 0.50461786

index t in 0..150
n[0]       = 5
n[t+1]     = (7 * n + total + highest + lowest + (if some then 3 else 0) + (if each then 1 else 0) +
  t) % 101
total[t]   = sum(n[k] * n[t-k] for k in 0..t)
highest[t] = max(n[k] * ((t - k) % 5) for k in 0..t+1)
lowest[t]  = min(n[k] + n[t-k] for k in 0..t+1)
some[t]    = any(n[k] == n[t-k] + 1 for k in 0..t)
each[t]    = all(n[k] != n[t-k] + 2 for k in 0..t)
odd[t]     = sum(n[k] * n[t-k] for k in 0..t if n[k] % 2 == 1)
f[0]       = 1.0
f[t+1]     = 0.1 * logsumexp(f[k] * f[t-k] for k in 0..t+1) -
  0.01 * prod(1.0 + 0.01 * f[k] * f[t-k] for k in 0..t)

print "n", n[1], n[20], n[64], n[65], n[99], n[150]
print "some", sum(some for t), sum(each for t), odd[0], odd[149]
print "f", f[1], f[20], f[100], f[150]
