# The second gradient looks at what was gathered only where the gather has a subscript.
# L = p^2 + p^3
# expect: grad(grad(L, p), p) = 4.4
param p: f64 = 0.4
index s in 0..4 until done
done[s] = s >= 1
x[0] = p
x[s+1] = x * p
j[s] = s // 2
L = sum(x[j] * x for s)
print grad(grad(L, p), p)
