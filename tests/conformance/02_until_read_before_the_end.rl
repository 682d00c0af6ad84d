# Conditions, filters and ranges that stay before the end: nothing is read past it.
# expect: most[b=0] = 5.5
# expect: most[b=1] = 6.5
# expect: most[b=2] = 6.5
# expect: few[b=0] = 18.0
# expect: few[b=1] = 14.0
# expect: few[b=2] = 10.5
# expect: some[b=0] = 19.0
# expect: some[b=1] = 17.0
# expect: some[b=2] = 14.5
# expect: last[b=0] = 14.550781
# expect: last[b=1] = 15.953125
# expect: last[b=2] = 14.90625
# expect: next = 28.929688
index b in 0..3
index s in 0..7 until done
n[b, 0]    = 0
n[b, s+1]  = n + 1 + b
done       = n >= 5
h[b, s]    = 1.0 * n + 0.5
x[b, 0]    = 0.25
x[b, s+1]  = 0.5 * x + h
most[b]    = max(h[b, s: j] for j in 0..end(s))
few[b]     = sum(h[b, s: j] for j in 0..7 if j < end(s))
some[b]    = sum((if j < end(s) then h[b, s: j] else 1.0) for j in 0..7)
last[b]    = h[b, s: end(s)-1] + x[b, s: end(s)]
next[b, s] = if s + 1 < end(s) then x[b, s+1] else -1.0
print most
print few
print some
print last
print "next", sum(next for b, s)
