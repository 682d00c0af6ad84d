# Gradients of a convolution of many channels: images and weights are more than the nearest cache holds, so that loops around the
# sums are reordered. Small integers, so that all sums are exact.
# expect: sums = [5108952.0, 0.0, 2549626.0, -178.0]
# expect: image = [236.0, 216.0, 297.0, 0.0]
# expect: weights = [-440.0, 1794.0, -1357.0]
index b in 0..18
index k in 0..20
index p in 0..7
index q in 0..8
index o in 0..14
index u in 0..3
index v in 0..3

pixel[b, k, p, q]  = 1.0 * ((3 * b + 5 * k + 2 * p + 7 * q + p * q) % 7) - 3.0
weight[o, k, u, v] = 1.0 * ((4 * o + 3 * k + 2 * u + v + u * v) % 5) - 2.0
image[b]           = pixel[b, 0..20, 0..7, 0..8]
kernel             = weight[0..14, 0..20, 0..3, 0..3]

index i in 0..3
index j in 0..3
y[b, o, i, j] = sum(kernel[o, k, u, v] * image[b][k, 2*i+u, 2*j+v] for k, u, v)
loss          = 0.5 * sum(y^2 for b, o, i, j)
dx            = grad(loss, image)
dw            = grad(loss, kernel)

print "sums", [sum(sum(abs(dx[b])) for b), sum(sum(dx[b]) for b), sum(abs(dw)), sum(dw)]
print "image", [dx[0][0, 0, 0], dx[7][19, 4, 5], dx[15][12, 5, 4], dx[17][2, 6, 6]]
print "weights", [dw[0, 0, 0, 0], dw[2, 11, 1, 2], dw[13, 19, 2, 1]]
