# The draws do not change when the range of an index grows.
# same: T=9

param T = 4
index b in 0..3
index t in 0..T
x[b, t] ~ Normal(0.0, 1.0)
n[b, t] ~ UniformInt(0, 1000)
c[b, t] ~ Categorical(logits = [0.0, 0.5, 1.0])
print x; print n; print c
