# A class or an element that there is not, where that is known.
# error: E0215 7:59 element 2
# error: E0215 8:7 element 3
# error: E0215 10:15 element 3 does not exist

index t in 0..4
print "log-probability", Categorical([0.0, 1.0]).log_prob(2)
print take_last([1.0, 2.0], 3)
x[t] = f32(t) * [1.0, 1.0, 1.0]
print "of x", take_last(x, t)
