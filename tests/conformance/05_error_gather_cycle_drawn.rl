# The draw's support reaches the point itself and later ones.
# error: E0303 5:1 `x[1]` may depend on itself
index t in 0..6
j[t] ~ UniformInt(0, 6)
x[t] = if t == 0 then 1.0 else x[j] + 1.0
print x
