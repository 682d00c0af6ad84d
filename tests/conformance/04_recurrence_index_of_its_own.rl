# A recurrence may go on along an index of its own, from a point of another's on.
# expect: w = 1.0835775

param first = 3
index t in 0..20
index l in first..20  # those that learn
index k in 0..2
w[first] = 1.0
w[l+1]   = w + 0.01 * sum(x[j] for k)
x[0]     = 0.5
x[t+1]   = 0.5 * x + 0.1 * w[max(t, first)]
j[l, k]  ~ UniformInt(0, l + 1)
print "w", w[20]
