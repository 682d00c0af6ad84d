# A matrix of m rows multiplied by an n x n one, again and again. The latter halves what it multiplies, and a matrix is added each time, so that the
# numbers stay of one size over any number of steps.
param m     = 256
param n     = 256
param steps = 200

index s in 0..steps

w      ~ Normal(zeros(n, n), 0.5 / sqrt(f32(n)))
b      ~ Normal(zeros(m, n), 1.0)
x[0]   = b
x[s+1] = x[s] @ w + b

report "first" = x[steps][0, 0]
