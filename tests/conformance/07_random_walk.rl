# Draws in a recurrence.
# tolerance: 0.3
# expect: mean = 0.0
# expect: var = 1.0

index b in 0..500
index t in 0..16
x[b, t] ~ Normal(0.0, 1.0)
w[b, 0] = 0.0
w[b, t+1] = w + x
f = w[t: 16]
print "mean", mean(f for b) / 4.0
print "var", var(f for b) / 16.0
