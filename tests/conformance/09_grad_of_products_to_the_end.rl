# In a sum up to an end, what is multiplied has no value behind it, and its gradient does not ask for one.
# expect: L = 0.1
# expect: grad = 0.4
index b in 0..2
index s in 0..4 until done
n[b, 0]   = 0
n[b, s+1] = n + 1
done      = n >= 1
param p   = 0.5
x[b, s]   = p * n
y[b, s]   = 0.2 * sum(x[b, s: j] * x for j in s..end(s))
L         = sum(y for b, s)
print L
print "grad", grad(L, p)
