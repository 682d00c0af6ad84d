# (e for b, t) goes over whole declared indices.
# expect: y[i=0] = 36
# expect: y[i=1] = 636
# expect: z[i=0, t=0] = 10
# expect: z[i=0, t=1] = 11
# expect: z[i=0, t=2] = 12
# expect: z[i=1, t=0] = 110
# expect: z[i=1, t=1] = 111
# expect: z[i=1, t=2] = 112

index i in 0..2
index b in 0..2
index t in 0..3
x = 100 * i + 10 * b + t
y = sum(x for b, t)
z = max(x for b)
print y
print z
