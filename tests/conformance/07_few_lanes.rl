# A recurrence through layers of 20 units, four of them side by side, which are too few to fill vectors: units fill them. Small
# whole numbers, so that all sums are exact.
# expect: s = [-1.0, -1.0, -2.0, -2.0]
index b in 0..4
index t in 0..17
index r in 0..20
index c in 0..20

w[r, c] = 1.0 * ((3*r + 5*c) % 7) - 3.0
W       = w[0..20, 0..20]
x[b, c] = 1.0 * ((b + c) % 5) - 2.0

s[b, 0]   = x[b, 0..5]
h[b, t]   = (w[0..20, 0..5] @ s[b, t] + 1.0) % 3.0
g[b, t]   = (W @ h[b, t]) % 5.0 - 1.0
s[b, t+1] = (w[0..5, 0..20] @ g[b, t]) % 5.0 - 2.0
print "s", [sum(s[3, 16]), s[0, 16][3], s[2, 9][4], s[3, 17][0]]
