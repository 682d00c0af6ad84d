# Matrix products in a recurrence, of matrices as they are and transposed, in three types; small integers, so that all sums are exact.
# A run on a GPU gives those that are large enough to a library.
# expect: A = [64.0, -2.0, 2.0]
# expect: B = [34816.0, 34.0, 34.0]
# expect: C = [69632.0, 1088.0, 2176.0]
# expect: W = [65.0, -4.0, -33.0]
# expect: H = [-4.0, -33.0]
index i in 0..3
index r in 0..16
index c in 0..32

start[r, c] = 1.0 * ((7*r + 3*c) % 5) - 2.0
A[0]   = start[0..16, 0..32]
A[i+1] = (A[i] @ transpose(A[i])) @ A[i] % 5.0 - 2.0
B[i]   = transpose(A[i]) @ A[i]
C[i]   = B[i] @ transpose(A[i])
print "A", [sum(A[2]), A[2][2, 5], A[2][15, 31]]
print "B", [sum(B[2]), B[2][7, 3], B[2][31, 0]]
print "C", [sum(C[2]), C[2][7, 3], C[2][31, 15]]

V[0]   = f64(start[0..16, 0..32])
V[i+1] = -V[i]
W[i]   = V[i] @ transpose(V[i])
print "W", [sum(W[2]), W[2][3, 1], W[2][15, 14]]

# Whole numbers to 256 are exact in bf16.
G[0]   = bf16(start[0..16, 0..32])
G[i+1] = -G[i]
H[i]   = G[i] @ transpose(G[i])
print "H", [f32(H[2][3, 1]), f32(H[2][15, 14])]
