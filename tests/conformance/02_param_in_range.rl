# A param in a range sizes the program.
# args: T=4
# expect: x[t=0] = 0
# expect: x[t=1] = 10
# expect: x[t=2] = 20
# expect: x[t=3] = 30

param T = 2
index t in 0..T
x[t] = 10 * t
print x
