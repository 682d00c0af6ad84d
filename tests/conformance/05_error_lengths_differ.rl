# Vectors of a length that varies with an index have it in every equation.
# error: E0202 6:1 `z` is f32[t] in another equation, and f32[4] here, where the lengths differ

index t in 0..3
z[t] = ones(t) where t != 2
z[2] = [7.0, 8.0, 9.0, 10.0]
print z
