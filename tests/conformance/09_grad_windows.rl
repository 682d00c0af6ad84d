# Gradients of convolutions: an image's is a sum over the windows that lie on a pixel, which differ in number where windows step by
# 2. Small integers, so that all sums are exact.
# expect: sums = [1027695.0, -105.0, 819872.0, 3380.0]
# expect: image = [-55.0, -60.0, 155.0, 0.0, 5.0]
# expect: weights = [-4990.0, -7332.0, -1449.0]
index b in 0..37
index k in 0..3
index p in 0..11
index q in 0..12
index o in 0..5
index u in 0..4
index v in 0..3

pixel[b, k, p, q]  = 1.0 * ((3 * b + 5 * k + 2 * p + 7 * q + p * q) % 7) - 3.0
weight[o, k, u, v] = 1.0 * ((4 * o + 3 * k + 2 * u + v + u * v) % 5) - 2.0
image[b]           = pixel[b, 0..3, 0..11, 0..12]
kernel             = weight[0..5, 0..3, 0..4, 0..3]

index i in 0..4
index j in 0..5
y[b, o, i, j] = sum(kernel[o, k, u, v] * image[b][k, 2*i+u, 2*j+v] for k, u, v)
z[b, o]       = sum(image[b][k, u+7, v+9] * image[b][k, u, v] * kernel[o, k, u, v] for k, u, v)
loss          = 0.5 * sum(y^2 for b, o, i, j) + sum(z for b, o)
dx            = grad(loss, image)
dw            = grad(loss, kernel)

print "sums", [sum(sum(abs(dx[b])) for b), sum(sum(dx[b]) for b), sum(abs(dw)), sum(dw)]
print "image",
  [dx[0][0, 0, 0], dx[17][1, 4, 5], dx[17][2, 5, 4], dx[36][2, 10, 11], dx[36][0, 9, 10]]
print "weights", [dw[0, 0, 0, 0], dw[2, 1, 3, 2], dw[4, 2, 1, 1]]
