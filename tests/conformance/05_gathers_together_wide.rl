# More than a line of a cache holds is read at the same points, and part of it follows from what is left out; and
# gathers at the points that a vector's elements tell.
# expect: wide = [4711, 5791, 5714]
# expect: vectors = [4118, 3316, 3404]
index e in 0..3
index t in 0..20
index n in 0..30
u[t]           ~ Uniform(0, 1)
obs[t]         = [u[t], t, 2 * t, 3 * t, 4 * t, 5 * t, 6 * t, 7 * t, 8 * t, 9 * t, 10 * t, 11 * t,
  12 * t, 13 * t]
k[e, t]        ~ UniformInt(0, 20)
advantage[0]   = 0.5
advantage[t+1] = advantage * 0.5 + u[t]
value[0]       = 1.0
value[t+1]     = value * 0.25 + u[t]
left[0]        = 2.0
left[t+1]      = left * 0.125 + u[t]
target[t]      = left[t] + value[t]
c[e, t]        = obs[k][3] * advantage[k] + value[k] * left[k] + target[k]
print "wide", list(i32(sum(c[i, q] * q for q in 0..20)) for i in 0..3)

order[n]  ~ Permutation(20)
action[t] ~ UniformInt(0, 5)
good[t]   = u[t] > 0.5
x[t]      = u[t] * 2.0
y[t]      = u[t] + 0.5 * t
at[n]     = clip(order[n], 0, 19)
v[n]      = x[at] * y[at] + action[at] + (if good[at] then 1.0 else 2.0)
s         = sum(v[n] * n for n)
print "vectors", list(i32(s[q]) for q in 0..3)
