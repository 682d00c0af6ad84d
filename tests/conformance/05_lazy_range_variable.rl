# A condition on a range variable is lazy.
# expect: y = 106

param T = 4
index t in 0..T
x = t + 1
y = sum(if k > 0 then x[k-1] else 100 for k in 0..T)
print y
