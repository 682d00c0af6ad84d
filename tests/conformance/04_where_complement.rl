# Equations with complementary conditions define one tensor.
# expect: y[t=0] = 0
# expect: y[t=1] = -1
# expect: y[t=2] = 20
# expect: y[t=3] = -3
# expect: y[t=4] = 40
# expect: y[t=5] = -5

index t in 0..6
x[t] = 10 * t where t % 2 == 0
x[t] = -t where t % 2 == 1
y = x
print y
