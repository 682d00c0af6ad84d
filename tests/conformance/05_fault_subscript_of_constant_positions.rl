# Positions that constants alone name have no name to tell.
# fault: .rl:8:1: error[E0704]: `x[k[t]]`: a subscript of `x` is outside of its domain { [_] : 0 <= _ < 2 } in `y`

index t in 0..4
x[0] = 1.0
x[1] = 2.0
k[t] = i32(u)
y[t] = x[k]
u[t] ~ Uniform(2.5, 3.5)
print y
