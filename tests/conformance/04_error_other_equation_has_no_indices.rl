# An equation without a subscript is for all points; what follows from that is said once.
# error: E0312 6:3 `w` has no indices by its other equation

w ~ Normal(0.0, 1.0)
index i in 0..3
w[i+1] = w[i] * 2.0
print w[3]
