# A tensor over four indices, with recurrences along the first and the last.
# expect: y[a=0, b=0] = 22
# expect: y[a=0, b=1] = 42
# expect: y[a=1, b=0] = 32
# expect: y[a=1, b=1] = 52
# expect: z = 300

index i in 0..2
index a in 0..2
index b in 0..2
index t in 0..2
x[0, a, b, 0] = a + 2 * b
x[i, a, b, t+1] = x + 1
x[i+1, a, b, 0] = 10 * x[t: 2]
y = x[i: 1, t: 2]
print y
z = sum(x for i, a, b, t)
print z
