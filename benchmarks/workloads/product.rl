# A matrix of m rows multiplied by an n x n one, again and again.
param m     = 256
param n     = 256
param steps = 200

index s in 0..steps

w      ~ Normal(zeros(n, n), 1.0 / sqrt(f32(n)))
x[0]   ~ Normal(zeros(m, n), 1.0)
x[s+1] = x[s] @ w

report "first" = x[steps][0, 0]
