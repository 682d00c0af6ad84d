# A range on the left overrides the declared one.
# expect: v[t=0] = 0
# expect: v[t=1] = 2
# expect: v[t=2] = 4
# expect: v[t=3] = 6
# expect: w[t=-1] = -1
# expect: w[t=0] = 0

param T = 3
index t in 0..T
v[t in 0..=T] = 2 * t
w[t in -1..1] = t
print v
print w
