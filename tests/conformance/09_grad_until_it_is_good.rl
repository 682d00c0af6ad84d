# Training ends on what training makes better: the gradient at a point needs no end, for the loss has a value there.
# expect: steps = 8
# expect: w = 0.5033165
# expect: v = 2.1773453
# expect: policy = [0.9123995, 0.763603]
index k in 0..50 until small
w[0]    = 3.0
h       = w * w
cost[k] = h + 1.0
w[k+1]  = w - 0.1 * grad(cost, w)
small   = cost < 1.5
print "steps", end(k)
print "w", w[end(k)]

# Several times, each from where the one before has ended.
index j in 0..2
index s in 0..50 until near
index n in 0..4
v[0, 0]    = 3.0
v[j+1, 0]  = v[j, end(s)] + 1.0
y[j, s, n] = v * (n + 1) * 0.2
e[j, s]    = mean(y * y for n)
miss[j, s] = 1.0 * e + 1.0
v[j, s+1]  = v - 0.1 * grad(miss, v)
near[j, s] = e < 0.5
print "v", v[2, 0]

# As a policy's epochs end where it is too far from the one that has acted.
index i in 0..4
index u in 0..20 until far
index m in 0..8
p[0, 0]      = [0.3, -0.2]
p[i+1, 0]    = p[i, end(u)]
x[m]         = [m * 0.25 - 1, 1.0]
old[i, m]    = tanh(dot(p[i, 0], x))
new[i, u, m] = tanh(dot(p, x))
loss[i, u]   = mean((new - 0.5 * m / (i + 1))^2 for m)
p[i, u+1]    = p - 0.2 * grad(loss, p)
far[i, u]    = mean((new - old[i])^2 for m) > 0.02
print "policy", p[4, 0]
