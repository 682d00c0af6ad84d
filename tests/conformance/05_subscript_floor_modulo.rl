# Subscripts may use // and % by constants.
# expect: y[t=0] = 0
# expect: y[t=1] = 100
# expect: y[t=2] = 401
# expect: y[t=3] = 1
# expect: y[t=4] = 104
# expect: y[t=5] = 404

index t in 0..6
x = t * t
y[t] = x[t // 2] + 100 * x[t % 3]
print y
