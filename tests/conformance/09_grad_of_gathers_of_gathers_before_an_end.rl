# Data say which data say what is read, up to an end; past it they may be anything, and are not looked at.
# expect: twice = 3.5
# expect: means = 81.08597
index b in 0..3
index s in 0..6 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
f[b, 0]   = p
f[b, s+1] = f * 1.3 + 0.1
done      = n >= 3 or f > 3.0
param p = 0.5
x[b, s]     = p * n
pair[b, s]  = [x[b, s: 0], x[b, s: clip(n//2, 0, s)]]
both[b, s]  = dot(pair, [p, 0.5])
again[b, s] = both[b, s: clip(n//2, 0, s)]
high[b, s]  = f[b, s: argmax(f[b, s: j] for j in s..end(s))]
held[b, s]  = if s % 2 == 0 then high else high[b, s: s-1]
next[b, s]  = held[b, s: min(s+1, end(s)-1)]
print "twice", grad(sum(again[b, s: end(s)-1] for b), p)
print "means", grad(sum(next * mean(next[b, s: j] * next[b, s: j] for j in 0..s+1) for b, s), p)
