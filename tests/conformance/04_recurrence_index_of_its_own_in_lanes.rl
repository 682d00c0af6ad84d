# What is one loop for each b runs along two indices; what the loop behind it runs along one of them for, stays with that.
# expect: w = 1.0835775
# expect: w = 1.28303
# expect: z = 3.7329113
# expect: z = 3.5850406
# expect: z = 1.842585

param first = 3
index b in 0..3
index t in 0..20
index l in first..20
index k in 0..2
w[b, first] = 1.0 + 0.1 * b
w[b, l+1]   = w + 0.01 * sum(x[b, j] for k)
x[b, 0]     = 0.5
x[b, t+1]   = 0.5 * x + 0.1 * w[b, max(t, first)]
j[b, l, k]  ~ UniformInt(0, l + 1)
z[first]    = 1.0
z[first+1]  = 1.5
z[first+2]  = 1.5
m[l]        = 0.5 * z[l+2]
z[l+3]      = 0.1 * m[l] + sum(w[b, l+1] for b)
print "w", w[0, 20], w[2, 17]
print "z", z[20], z[11], m[15]
