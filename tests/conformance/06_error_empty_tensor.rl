# The max of a tensor without elements.
# error: E???? 6:* max

index t in 0..3
x = t + 1.0
y = max(x[2..2])
