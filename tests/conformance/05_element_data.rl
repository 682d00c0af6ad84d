# A tensor without indices has no first bracket: data[t] is element access.
# expect: y[t=0] = 20
# expect: y[t=1] = 30
# expect: y[t=2] = 40
# expect: z = 3
# expect: w = [3, 4]

index t in 0..3
data = [10, 20, 30, 40]
y = data[t + 1]
print y
m = [[1, 2], [3, 4]]
z = m[1, 0]
print z
w = m[1]
print w
