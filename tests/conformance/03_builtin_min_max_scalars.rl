# min(a, b, ...) and max(a, b, ...) of scalars.
# expect: x[t=0] = 1
# expect: x[t=1] = 2
# expect: x[t=2] = 2
# expect: y[t=0] = 1.5
# expect: y[t=1] = 1.5
# expect: y[t=2] = 2.0

index t in 0..3
x = min(3, t + 1, 2)
y = max(0.5, f32(t), 1.5)
print x; print y
