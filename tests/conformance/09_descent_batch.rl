# Linear regression over a batch index.
# expect: L[i=0] = 11.66666667
# expect: L[i=1] = 3.207407407
# expect: L[i=2] = 0.8954403292
# expect: L[i=3] = 0.2620788294
# expect: w[4] = [1.134696296, 1.700108642]

index i in 0..4
index b in 0..3
x = [1.0, f32(b)]
y = 2.0 * b + 1.0
w[0] = [0.0, 0.0]
L = mean((dot(w, x) - y) ^ 2 for b)
w[i+1] = w - 0.1 * grad(L, w)
print L
print w[4]
