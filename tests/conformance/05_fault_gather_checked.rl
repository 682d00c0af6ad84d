# `--check` tells every index, also those that the subscript does not vary over and that are left out without it.
# args: --check
# fault: .rl:14:11: error[E0704]: a subscript of `x` is outside of its domain { [t] : 0 <= t < 8 } in `y`
# fault: at b=46, t=0, k[b, t]=8

param n = 8
param far = 8.5
index b in 0..67
index t in 0..n

x[t] ~ Normal(0.0, 1.0)
u[b] = if b == 46 then far else 1.5
k[b, t] = i32(u[b])
y[b, t] = 2.0 * x[k[b, t]]

report "mean" = mean(y[b, t] for b, t)
