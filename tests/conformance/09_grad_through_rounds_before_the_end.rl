# Gradients through a training loop whose first weights are an equation of their own.
# expect: grad(w[2], p) = 0.81
param p = 0.5
index i in 0..2
index b in 0..2
index s in 0..3 until done
w[0]        = p
done[b,s]   = s == b
x[i,b,0]    = 0.5
x[i,b,s+1]  = x * w
d           = x[s: end(s) - 1]
l           = sum(d * d for b, s)
w[i+1]      = w - 0.1 * grad(l, w)
print grad(w[2], p)
