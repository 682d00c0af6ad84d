# Matrix products that run by panels of columns, the last one narrower: of a matrix as it is, of a transposed one, inside of a
# larger expression, of matrices behind each other; small integers, so that all sums are exact.
# expect: X = [51858.0, 0.0, -11.0, 7.0]
# expect: Y = [8487.0, 0.0, 3.0, -1.0]
# expect: Z = [4309.0, 0.0, 3.0, 0.0]
# expect: both = [523218.0, 110.0, 128.0, -15.0]
index i in 0..3
index r in 0..34
index k in 0..70
index c in 0..133

start[r, k]  = 1.0 * ((7 * r + 3 * k) % 5) - 2.0
factor[k, c] = 1.0 * ((5 * k + 2 * c + k * c) % 11) - 3.0
across[c, k] = 1.0 * ((2 * c + 11 * k + c * k) % 3) - 1.0
S            = start[0..34, 0..70]
F            = factor[0..70, 0..133]
T            = across[0..133, 0..70]

A[0]   = S
A[i+1] = A[i] * -1.0
X[i]   = A[i] @ F
Y[i]   = A[i] @ transpose(T)
Z[i]   = maximum(transpose(X[i] + Y[i]) - transpose(F) @ transpose(A[i]), 0.0)
both   = reshape(concat(S, S + 1.0), [2, 34, 70]) @ F

print "X", [sum(abs(X[2])), X[2][3, 4], X[2][33, 132], X[1][20, 128]]
print "Y", [sum(abs(Y[2])), Y[2][3, 4], Y[2][33, 132], Y[1][20, 128]]
print "Z", [sum(Z[2]), Z[2][4, 3], Z[2][132, 33], Z[1][128, 20]]
print "both", [sum(both), both[0, 3, 4], both[1, 33, 132], both[1, 20, 128]]
