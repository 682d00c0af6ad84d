# At each point of the indices that both have: that point's loss by that point's value.
# expect: g[i=0] = 0.0
# expect: g[i=1] = 0.75
# expect: g[i=2] = 3.0
# expect: g[i=3] = 6.75

index i in 0..4
x = 0.5 * i
L = x ^ 3
g = grad(L, x)
print g
