# save writes a checkpoint and prints nothing.
# expect: w[3] = 8.0

index i in 0..3
w[0] = 1.0
w[i+1] = 2.0 * w
save w[3] as "weights"
print w[3]
