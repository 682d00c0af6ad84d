# error: E0215 5:7 `x` has no indices, and a scalar has no elements

index b in 0..3
x ~ Normal(0.0, 1.0)
print x[b]
