# A sum of f32 of what is f64, and of f64 of what is f32, over an index that ends on a condition: a
# derivative has the type of what it is by, and is zero past the end in that type.
# expect: grad(L, y)[s=0] = 0.0
# expect: grad(L, y)[s=1] = 1.0
# expect: grad(L, y)[s=2] = 2.0
# expect: grad(L, w) = 5.0
# expect: grad(M, z)[s=0] = 0.0
# expect: grad(M, z)[s=1] = 0.5
# expect: grad(M, z)[s=2] = 1.0
# expect: grad(M, v) = 2.5

index s in 0..5 until done
done[s] = s >= 2
w = f64(0.5)
v = 0.25
y[s] = f64(s) * w
z[s] = f32(s) * v
L = sum(f32(y)^2 for s)
M = sum(f64(z)^2 for s)
print grad(L, y)
print grad(L, w)
print grad(M, z)
print grad(M, v)
