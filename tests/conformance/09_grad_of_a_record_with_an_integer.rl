# An integer beside a weight has the derivative 0, an integer.
# expect: g[i=0] = {w: -1.0, n: 0}
# expect: g[i=1] = {w: -0.9, n: 0}

index i in 0..2
p[0] = {w = 1.0, n = 3}
loss = 0.5 * (p.w - 2)^2
g = grad(loss, p)
p[i+1] = {w = p.w - 0.1 * g.w, n = p.n + 1}
print g
