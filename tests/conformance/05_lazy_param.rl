# A condition on params is lazy.
# expect: y = 16

param n = 5
index t in 0..n
x = t * t
y = if n > 7 then x[7] else x[n - 1]
print y
