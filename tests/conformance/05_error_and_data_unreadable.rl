# Data left of and does not make its right lazy.
# error: E???? 7:20 x t=0

index t in 0..4
u = [0.1, 0.9, 0.4, 0.6]
x = 1.0 * t
y = u[t] > 0.5 and x[t-1] > 0.0
