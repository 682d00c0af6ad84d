# By a part of a vector, and by some points of a tensor.
# expect: grad(sum(y^2), y[0..2]) = [2.0, 4.0]
# expect: grad(sum(y^2), y[1..3]) = [4.0, 6.0]
# expect: grad(L, x[0..2]) = [2.0, 4.0]
# expect: grad(L, x[t: 1..4]) = [4.0, 6.0, 8.0]
# expect: grad(h[4], h[1..4]) = [559.00635, 223.60254, 31.382812]

y = [1.0, 2.0, 3.0]
print grad(sum(y^2), y[0..2])
print grad(sum(y^2), y[1..3])
index t in 0..4
x[t] = 1.0 + t
L = sum(x[t]^2 for t)
print grad(L, x[0..2])
print grad(L, x[t: 1..4])
h[0] = 0.5
h[t+1] = h[t]^2 + x[t]
print grad(h[4], h[1..4])
