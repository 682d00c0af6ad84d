# Nothing is the largest of no values, at the end itself.
# L = 1.25 p^3
# expect: grad(grad(L, p), p) = 3.0
param p: f64 = 0.4
index s in 0..6 until done
done[s] = s >= 1
x[0] = p
x[s+1] = 0.5 * x
u[s] = max(x[k] * p for k in s..end(s))
L = sum(x * u for s)
print grad(grad(L, p), p)
