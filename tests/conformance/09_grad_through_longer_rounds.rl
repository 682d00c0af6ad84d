# As above; the loss reads one point.
# expect: grad(u[i: 2, s: 0], p) = -0.1674433
param p = 0.5
index i in 0..2
index s in 0..6 until done
u[0,s]   = p * s
done[s]  = s == 3
x[i,0]   = 0.3
x[i,s+1] = (x + u)^2
l        = x[s: 2]
u[i+1,s] = u - 0.1 * grad(l, u)
print grad(u[i: 2, s: 0], p)
