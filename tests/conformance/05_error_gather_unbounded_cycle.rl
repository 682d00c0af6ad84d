# error: E0303 4:8 a value may depend on itself through a subscript along `t` that is computed and has no known range: `x` needs `y`, which reads `x` at any point
index t in 0..4
x[t] = if t == 0 then 1.0 else 0.5 * y[t - 1]
y[t] = x[t: i32(3.0 * x)] + 1.0
print y
