# A draw without subscripts is over the indices of its distribution.
# expect: near[b=0, t=0] = true
# expect: near[b=0, t=1] = true
# expect: near[b=0, t=2] = true
# expect: near[b=0, t=3] = true
# expect: near[b=1, t=0] = true
# expect: near[b=1, t=1] = true
# expect: near[b=1, t=2] = true
# expect: near[b=1, t=3] = true
# expect: near[b=2, t=0] = true
# expect: near[b=2, t=1] = true
# expect: near[b=2, t=2] = true
# expect: near[b=2, t=3] = true

index b in 0..3
index t in 0..4
mu = 10.0 * b + t
x ~ Normal(mu, 0.001)
near = abs(x - mu) < 0.02
print near
