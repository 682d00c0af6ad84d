# What is required of constants is asked where it is needed: not in the side that is not taken, of an index without points, nor of what nothing shows.
# expect: x[t=0] = 0
# expect: x[t=1] = 1
# expect: y = 0

param n = 0
index t in 0..2
index u in 0..n
total = sum([0.0, 0.0])
p     = [0.5, 0.6]
safe  = require(1.0 + total, total > 0.0, "a total above 0")
x[t]  = if total > 0.0 then safe else f32(t)
a[u]  ~ Categorical(p = p)
b     ~ Categorical(p = p)
y     = sum(a for u)
print x, y
