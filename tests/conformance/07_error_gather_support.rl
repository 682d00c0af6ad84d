# A support that leaves the domain is an error.
# error: E???? 8:5 x 10

index t in 0..10
index k in 0..5
x = t * t
j[k] ~ UniformInt(0, 11)
y = x[j]
