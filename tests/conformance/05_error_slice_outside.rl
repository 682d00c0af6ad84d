# A slice that leaves the domain is an error.
# error: E???? 6:9 x t=4

index t in 0..5
x = t * t
y = sum(x[0..t+2])
