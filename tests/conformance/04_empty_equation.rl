# An equation over an empty range defines nothing; the base case stays.
# expect: x[t=0] = 5

param T = 0
index t in 0..T
x[0] = 5
x[t+1] = x + 1
print x
