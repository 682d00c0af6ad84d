# Vectors over ranges vary over the other indices.
# expect: y[b=0] = [1, 2, 3]
# expect: y[b=1] = [-3, -2, -1]

index b in 0..2
index t in 0..3
x = [3, 1, 2][t] * (1 - 2 * b)
y = sort(x[t: k] for k in 0..3)
print y
