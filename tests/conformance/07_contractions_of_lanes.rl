# A layer over lanes and the gradient of its weights, of sizes that fill no tile; small whole numbers, so that all sums are exact, also where
# tensor cores round the factors to tf32 or have them in bf16.
# expect: y = [-3.0, -9.0, 0.0]
# expect: D = [2730.0, -3990.0, -2590.0, -7630.0]
# expect: z = [-3.0, -9.0, 0.0]
# expect: E = [234.0, -3.0, -1.0, 3.0]
index b in 0..70
index t in 0..5
index r in 0..26
index c in 0..20

w[r, c] = 1.0 * ((3*r + 5*c) % 7) - 3.0
W       = w[0..26, 0..20]

s[b, c]   = 1.0 * ((b + c) % 5) - 2.0
h[b, 0]   = s[b, 0..20]
h[b, t+1] = (W @ h[b, t])[0..20] % 5.0 - 2.0
y         = W @ detach(h[b, t])
D         = grad(0.5 * sum(sum(y * y) for b, t), W)
print "y", [sum(y[69, 4]), y[3, 2][25], y[40, 1][16]]
print "D", [sum(D), D[0, 0], D[25, 19], D[16, 3]]

V  = bf16(W)
z  = V @ bf16(detach(h[b, t]))
E  = grad(sum(sum(z) * bf16(1.0 * (b % 3) - 1.0) for b, t), V)
zf = f32(z)
Ef = f32(E)
print "z", [sum(zf[69, 4]), zf[3, 2][25], zf[40, 1][16]]
print "E", [sum(Ef), Ef[0, 0], Ef[25, 19], Ef[16, 3]]
