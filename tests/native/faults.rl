# Gathers that leave the tensor at many points, in parallel loops: one of them is told.
param n = 40
index b in 0..20000
index t in 0..n
tab       = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
u[b, t]   ~ Uniform(0.0, 10.0002)
y[b, t]   = tab[i32(u[b, t])]
z[b, 0]   = 0.0
z[b, t+1] = 0.5 * z[b, t] + y[b, t]
report "mean" = mean(z[b, n] for b)
