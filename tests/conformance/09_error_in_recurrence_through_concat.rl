# error: E0215 3:62 a scalar has no elements
index c in 0..4
y[c] = if c == 0 then 0.5 else tanh(concat([[y[c - 1], 0.5], 0.5[0..1]]))[0]
print y
