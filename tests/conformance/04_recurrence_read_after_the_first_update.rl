# A recurrence that runs in the first of a loop's updates and whose last points the later ones read, in their own run over its steps, for each lane.
# args: --seeds 0..8
# expect: all[seed=0] = 7464
# expect: all[seed=1] = 4296
# expect: all[seed=2] = 10632
# expect: all[seed=3] = 10632
# expect: all[seed=4] = 7464
# expect: all[seed=5] = 12216
# expect: all[seed=6] = 12216
# expect: all[seed=7] = 9048
index i in 0..2
index b in 0..4
index u in 0..2
index t in 0..4
n             ~ UniformInt(0, 9)
w[0, b, 0]    = b + n
h[i, b, t]    = w[i, b, 0]
q[i, b, 0]    = b
q[i, b, t+1]  = q + h
z[i, b, u, 0] = w
z[i, b, u, t+1] = z + (if t >= 3 then q[i, b, t] else w[i, b, u])
w[i, b, u+1]  = w + z[i, b, u, 4]
w[i+1, b, 0]  = w[i, b, 2]
print "all", sum(w[i, b, u] for i, b, u)
