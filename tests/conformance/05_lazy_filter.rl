# A filter on indices is lazy.
# expect: y = 5
# expect: z = 20

param T = 5
index t in 0..T
x = t * t
y = sum(x[k-2] for k in 0..T if k >= 2)
z = sum(x[T - k] for k in 0..T if k % 2 == 1)
print y; print z
