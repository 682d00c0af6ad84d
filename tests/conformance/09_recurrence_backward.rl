# Through a backward recurrence.
# expect: r[t=0] = 1.0
# expect: r[t=1] = 0.5
# expect: r[t=2] = 0.25
# expect: r[t=3] = 0.125
# expect: gamma = 8.0

param gamma = 0.5
index t in 0..4
r = t + 1.0
G[4] = 0.0
G[t] = r + gamma * G[t+1]
print "r", grad(G[0], r)
print "gamma", grad(G[0], gamma)
