# Another seed gives other draws.
# args: --seed 1
# differs: --seed 2

index t in 0..4
x[t] ~ Normal(0.0, 1.0)
print x
