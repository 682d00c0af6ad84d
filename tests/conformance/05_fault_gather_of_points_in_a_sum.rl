# As 05_fault_gather_in_a_sum.rl, of a tensor's points.
# fault: .rl:13:1: error[E0704]: a subscript of `x` is outside of its domain { [t] : 0 <= t < 8 } in `y`
# fault: at b=40, t=3, the subscript=8

param n = 8
param far = 8.5
index b in 0..67
index t in 0..n

x[t] ~ Normal(0.0, 1.0)
noise[b, t] ~ Uniform(0.0, 7.0)
u[b, t] = if b * 8 + t == 323 then far else noise[b, t]
y[b, t] = x[i32(u[b, t])]

report "mean" = mean(y[b, t]
                     for b, t)
