# Probabilities that are data are tested where they are drawn from.
# expect: a[t=0] = 0
# fault: probabilities sum to 1

index t in 0..3
p[t] = [1.0 - 0.1 * t, 0.0]
a[t] ~ Categorical(p = p)
print a
