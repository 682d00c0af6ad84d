# A random walk and its running mean.
param steps = 8
param scale = 1.0

index t in 0..steps

## How far the walk goes in one step.
jump[t] ~ Normal(0.0, 1.0)
x[0]    = 0.0
x[t+1]  = x[t] + scale * jump[t]
print x[steps]
