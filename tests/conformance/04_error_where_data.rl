# where takes conditions on indices and params, not on data.
# error: E???? 6:* u

index t in 0..3
u = 0.5 * t
x[t] = 1 where u > 0.5
