# A name of the program's own hides the reduction.
# error: E0212 5:8 `mean` is not the reduction here

index t in 0..3
v[t] = mean(mean[k] for k in 0..t+1)
mean[0] = 1.0
mean[t+1] = 0.5 * mean[t]
print v
