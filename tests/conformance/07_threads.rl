# Draws do not depend on the number of threads.
# same: --threads 3

index b in 0..50
index t in 0..4
x[b, t] ~ Normal(0.0, 1.0)
w[b, 0] = 0.0
w[b, t+1] = w + x
print w
