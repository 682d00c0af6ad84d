# softmax of a range is a vector of its length.
# expect: y = [0.1541698934, 0.007675667024, 0.4190772198, 0.4190772198]
# expect: z = [0.01798620996, 0.98201379]

a = [2.0, -1.0, 3.0, 3.0]
y = softmax(a[k] for k in 0..4)
z = softmax(a[k] for k in 1..3)
print y; print z
