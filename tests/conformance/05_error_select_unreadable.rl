# With a condition on data both branches must be readable.
# error: E???? 7:24 x t=0

index t in 0..4
u = [0.1, 0.9, 0.4, 0.6]
x = t * t
y = if u[t] > 0.5 then x[t-1] else 0
