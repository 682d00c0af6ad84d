# What a gradient adds to by data has its positions past the end, too, to add zero there.
# expect: g = 2.813203
index b in 0..5
index s in 0..6 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 3
th        = 0.5
x[b, 0]   = 0.25
x[b, s+1] = x * th + 0.1
h[b, s]   = x[b, s: min(s+1, end(s)-1)] * 0.5 + x
L         = sum(h * h for b, s)
g         = grad(L, th)
print g
