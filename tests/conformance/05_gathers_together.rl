# Tensors of several types that are read at the same points, by data, more often than they are computed: a sum over
# shuffled samples in each epoch, the same with another neighbour, and what has more points than the others.
# expect: sums = [95.0, 95.0, 95.0]
# expect: weighted = [390.5, 390.5, 390.5]
# expect: chosen = 27.0
# expect: ends = 285.0
# expect: mixed = 822.5
# expect: rounds = 20.0
# expect: rounds = true
index e in 0..3
index b in 0..4
index t in 0..5
index m in 0..20

x[b, t]            = [1.0, 2.0, 0.5] * (b + t)
far[b, t in 0..=5] = 1.5 * b + t
a[b, t]            = (b * t) % 3
good[b, t]         = (b + t) % 2 == 0
y[b, t]            = 0.5 * b + 0.25 * t
z[b, t]            = x[b, t][0] + y[b, t]
order[e]           ~ Permutation(20)
j[e, m]            = order[e][m]

picked[e, m] = x[j%4, j//4]
action[e, m] = a[j%4, j//4]
part[e, m]   = if good[j%4, j//4] then y[j%4, j//4] else z[j%4, j//4]
value[e, m]  = picked[e, m][action] + part
sums[e]      = sum(z[j%4, j//4] for m)
weighted[e]  = sum(value * (1 + j % 4) for m)
print "sums", list(sums[k] for k in 0..3)
print "weighted", list(weighted[k] for k in 0..3)
print "chosen", sum(a[j%4, j//4] * 1.0 for e, m)

# The last point is none of a record's.
print "ends", sum(far[j%4, 5] * y[j%4, j//4] + far[j%4, j//4] for m, e if e == 1)

# What is computed from a gather is read with its tensor; and in each round from the one before.
index i in 0..3
k[b]      = (3 * b + 1) % 4
own[b]    = 1.5 * b
other[b]  = own[k] * 2.0 + 1.0
third[b]  = other - 0.25 * b
mixed[m]  = own[j[0, m]%4] + other[j[0, m]%4] * third[j[0, m]%4]
at[i, m]  ~ UniformInt(0, 4)
p[0, b]   = 1.0 + b
p[i+1, b] = p[i, b] + 0.001 * total[i]
q[i, b]   = p[i, b] * p[i, b]
u[i, b]   = if b % 2 == 0 then p[i, b] else q[i, b]
total[i]  = sum(p[i, at] + q[i, at] - u[i, at] for m)
once[i]   = sum(p[i, at] * 0.0 + q[i, at] * 0.0 + u[i, at] * 0.0 + 1.0 for m)
print "mixed", sum(mixed for m)
print "rounds", once[2], p[3, 0] > 1.0
