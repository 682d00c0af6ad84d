# A draw's support may depend on indices: reads at most so far back.
# expect: window = true

param capacity = 3
index n in 0..8
index k in 0..20
obs[n] = 10 * n
j[n, k] ~ UniformInt(max(0, n + 1 - capacity), n + 1)
batch = obs[n: j]
print "window", all(batch > 10 * n - 30 and batch <= 10 * n and batch >= 0 for n, k)
