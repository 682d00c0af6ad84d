# Gauss and Seidel's sweeps in red and black: the derivative runs back through both colours.
# expect: sum(h[K, r, c]^2 for r, c) = 5.584358
# expect: grad(sum(h[K, r, c]^2 for r, c), h[0, 2, 3]) = 0.12109375

param R = 5
param K = 3
index k in 0..K
index r in 0..R
index c in 0..R
h[0, r, c] = 0.0
h[k+1, r, c] = if r == 0 then 1.0 else if r == R - 1 or c == 0 or c == R - 1 then 0.0 else if (r + c) % 2 == 0 then 0.25 * (h[k, r-1, c] + h[k, r, c-1] + h[k, r+1, c] + h[k, r, c+1]) else 0.25 * (h[k+1, r-1, c] + h[k+1, r, c-1] + h[k+1, r+1, c] + h[k+1, r, c+1])
print sum(h[K, r, c]^2 for r, c)
print grad(sum(h[K, r, c]^2 for r, c), h[0, 2, 3])
