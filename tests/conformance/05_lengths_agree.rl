# Vectors of a length that varies with an index, from two equations.
# expect: z[t=0] = [5.0]
# expect: z[t=1] = [1.0, 1.0]
# expect: z[t=2] = [1.0, 1.0, 1.0]

index t in 0..2
z[0] = [5.0]
z[t+1] = ones(t + 2)
print z
