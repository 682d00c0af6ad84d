# Every other site of a torus is updated from its neighbours, then the others from those: whether a
# site reads this sweep or the one before goes by its position, on either side of both edges.
# expect: sum(s[k+1, r, c] for r, c)[k=0] = -4
# expect: sum(s[k+1, r, c] for r, c)[k=1] = -2
# expect: sum(s[k+1, r, c] for r, c)[k=2] = 0
# expect: s[K, 0..R, 0..R] = [[1, -1, 1, -1, 1, -1], [-1, 1, -1, 1, -1, 1], [1, -1, 1, -1, 1, -1], [-1, 1, -1, 1, -1, 1], [1, -1, 1, -1, 1, -1], [-1, 1, -1, 1, -1, 1]]

param R = 6
param K = 3
index k in 0..K
index r in 0..R
index c in 0..R
s[0, r, c] = if (r * 7 + c * 3) % 5 < 2 then 1 else -1
h[k, r, c] = s[k, (r+1) % R, c] + s[k, (r-1) % R, c] + s[k, r, (c+1) % R] + s[k, r, (c-1) % R] where (r + c) % 2 == 0
h[k, r, c] = s[k+1, (r+1) % R, c] + s[k+1, (r-1) % R, c] + s[k+1, r, (c+1) % R] + s[k+1, r, (c-1) % R] where (r + c) % 2 == 1
s[k+1, r, c] = if h < (r + k) % 3 - 1 then 1 else -1
print sum(s[k+1, r, c] for r, c)
print s[K, 0..R, 0..R]
