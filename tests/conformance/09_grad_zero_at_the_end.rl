# What reads a gradient one point further on finds zero at the end, whatever lanes before left there.
# expect: g = 11.0
index b in 0..3
index s in 0..6 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b
done      = n >= 3
th        = 0.5
x[b, s]   = th * n
h[b, s]   = if s > 0 then x[b, s: s-1] else x
g[b, s]   = h * 1.0
L         = sum(g * sum(g[b, s: j] for j in 0..s+1) for b, s)
print "g", grad(L, th)
