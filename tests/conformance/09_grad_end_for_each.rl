# Each lane ends on its own: what the gradient is at the end itself reads its conditions there, never what an earlier iteration left.
# expect: loss = [0.1541461, 0.04831157, 0.11536374]
# expect: cost = [0.0949596, 0.062001497, 0.033083636]
# expect: bent = [5.119975, -1.5694683, -7.528221]
# expect: sizes = 102.9057
# expect: slope = 57.668118
index i in 0..3
index b in 0..8
index s in 0..7 until done
c[i, b, 0]   = 0
c[i, b, s+1] = c + 1 + (b * b + i) % 3
done         = c >= 6

w[0]         = 0.3
h[i, b, 0]   = 0.1
h[i, b, s+1] = tanh(w[i] * c + 0.3 * h)
y[i, b, s]   = w[i] * h
loss[i]      = sum(y * y for b, s) / 8
w[i+1]       = w - 0.02 * grad(loss, w)
print "loss", list(loss[k] for k in 0..3)

# One that reaches two points past the end, and is used twice there.
u[0]         = 0.2
g[i, b, 0]   = 0.1
g[i, b, 1]   = 0.2
g[i, b, s+2] = sin(u[i] * c[i, b, s+1]) * g[i, b, s+1] + 0.5 * g[i, b, s] * g[i, b, s+1]
cost[i]      = sum(g * g * u[i] for b, s)
u[i+1]       = u - 0.1 * grad(cost, u)
print "cost", list(cost[k] for k in 0..3)

# Nothing is read past the end for the gradient's sake, whatever it passes through.
m[i, b, s] = sum(g * v[i] * k for k in 0..3 if g > 0.05 * k)
bent[i]    = sum((if g > 0.15 then tanh(v[i] * g) else g) + m for b, s)
v[0]       = 0.4
v[i+1]     = v - 0.1 * grad(bent, v)
print "bent", list(bent[k] for k in 0..3)

# Sums over sums: what a gradient reads throughout the range is zero past the end, not what another lane or iteration has left.
index j in 0..3
index q in 0..6 until over
t[j, 0]     = 0
t[j, q+1]   = t + 1 + (j + q) % 3
over        = t >= 4
z           = 0.3
f[j, 0]     = j
f[j, q+1]   = f + z
grown[j, q] = sum(f[k] * 0.5 for k in 0..q+1)
soft[j]     = logsumexp(1.0 + f * f for q)
total       = sum(f * f + grown for j, q) + sum(soft for j)
gf[j, q]    = grad(total, f)
print "sizes", sum(abs(gf) for j, q)
print "slope", grad(total, z)
