# Permutation(n) is a vector of all of 0..n, in every order.
# tolerance: 0.1
# expect: sorted = true
# expect: identity = 0.1666666667
# expect: reverse = 0.1666666667
# expect: first = 1.0

index k in 0..600
p[k] ~ Permutation(3)
print "sorted", all(all(sort(p) == [0, 1, 2]) for k)
print "identity", mean(all(p == [0, 1, 2]) for k)
print "reverse", mean(all(p == [2, 1, 0]) for k)
print "first", mean(f32(p[..][0]) for k)
