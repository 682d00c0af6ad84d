# Gradients read nothing that a tensor lacks where an index ends for each lane by itself: sums up to and from a step, filters, the last value.
# expect: before = 8.151802
# expect: after = 7.3072505
# expect: least = 59.4
# expect: most = 10.578751
# expect: part = 10.381303
# expect: last = 1.6668888
# expect: ends = 0.8966628
param w0 = 0.3
index b in 0..3
index s in 0..7 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b % 3
done      = n >= 4
w         = 1.0 * w0
h[b, 0]   = 0.5 * w
h[b, s+1] = h * w + 0.1

before[b, s] = sum(h[k] for k in 0..s+1)
after[b, s]  = sum(h[k] for k in s..end(s))
least[b, s]  = sum(k * w for k in 0..3 if h < 0.01 * w + k)
most[b, s]   = max(h * k for k in 0..4 if h < 100.0 + k)
part[b, s]   = prod(h + k for k in 0..3 if h < 1.0 + k)
last[b]      = h[s: end(s)]
same[b, 0]   = 0.1
same[b, s+1] = same * w + 0.1
ends[b]      = same[s: end(s)]

print "before", grad(sum(before * before for b, s), w)
print "after", grad(sum(after for b, s), w)
print "least", grad(sum(least * least for b, s), w)
print "most", grad(sum(most for b, s), w)
print "part", grad(sum(part for b, s), w)
print "last", grad(sum(h * h for b, s) + sum(last for b), w)
print "ends", grad(sum(same * same for b, s) + sum(ends for b), w)
