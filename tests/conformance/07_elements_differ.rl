# The elements of a drawn tensor are independent draws.
# tolerance: 0.13
# expect: mean = [0.0, 1.0]
# expect: std = [1.0, 0.5]
# expect: covariance = 0.0

index k in 0..1000
x[k] ~ Normal([0.0, 1.0], [1.0, 0.5])
a = x[..][0]
b = x[..][1]
print "mean", mean(x for k)
print "std", std(x for k)
print "covariance", mean(a * (b - 1.0) for k)
