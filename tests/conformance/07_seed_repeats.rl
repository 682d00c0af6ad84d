# The same seed gives the same draws.
# args: --seed 7
# same: --threads 2

index t in 0..4
x[t] ~ Normal(0.0, 1.0)
a[t] ~ Gamma(1.5, 1.0)
p[t] ~ Permutation(5)
print x; print a; print p
