# The support of a draw bounds a gather.
# expect: inside = true
# expect: right = true

param T = 10
index t in 0..T
index k in 0..100
x = t * t
j[k] ~ UniformInt(2, T)
y = x[j]
print "inside", all(y >= 4 and y <= 81 for k)
print "right", all(y == j * j for k)
