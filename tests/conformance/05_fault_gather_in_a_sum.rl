# A gather that leaves the tensor is told where it is written, with the tensor and the whole point, also where it is
# computed for each summand of another line.
# fault: .rl:14:1: error[E0704]: a subscript of `tab` is outside of its shape in `y`
# fault: at b=40, t=3, the subscript=10

param n = 8
param far = 10.5
index b in 0..67
index t in 0..n

tab = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
noise[b, t] ~ Uniform(0.0, 9.0)
u[b, t] = if b * 8 + t == 323 then far else noise[b, t]
y[b, t] = tab[i32(u[b, t])]

report "mean" = mean(y[b, t]
                     for b, t)
