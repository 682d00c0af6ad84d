# Where the outer index has ended, it is not known where the inner one does.
# L = p^8
# expect: grad(L, p) = 0.01310720
# expect: grad(grad(L, p), p) = 0.229376
param p: f64 = 0.4
index s in 0..4 until done
index q in 0..4 until over
done[s] = s >= 1
over[s,q] = q >= s
x[0] = p
x[s+1] = x * p
y[s,q] = x * q * x
L = sum(y * y for s, q)
print grad(L, p)
print grad(grad(L, p), p)
