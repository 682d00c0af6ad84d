# A base case and a step define a tensor on 0..=T.
# expect: x[t=0] = 1.0
# expect: x[t=1] = 0.5
# expect: x[t=2] = 0.25
# expect: x[t=3] = 0.125
# expect: x[t=4] = 0.0625

param T = 4
index t in 0..T
x[0] = 1.0
x[t+1] = 0.5 * x[t]
print x
