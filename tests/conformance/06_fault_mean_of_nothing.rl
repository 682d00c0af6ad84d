# A mean whose filter leaves nothing has no value, and its message says so of the mean.
# fault: `mean` of an empty range in `y`
index t in 0..5
x[t] = 0.5 * t
y    = mean(x for t if x > 7.0)
print y
