# A subscript that leaves the domain is an error with a point; nothing is clamped.
# error: E???? 6:5 x t=4

index t in 0..5
x = t * t
y = x[t+1]
