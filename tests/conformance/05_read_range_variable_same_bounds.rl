# Without a mentioned index it stands for the one with the same declared bounds; sizes never decide.
# expect: y[b=0] = 3
# expect: y[b=1] = 33
# expect: y[b=2] = 63
# expect: z[t=0] = 30
# expect: z[t=1] = 33
# expect: z[t=2] = 36

param T = 3
index b in 0..3
index t in 0..T
x = 10 * b + t
y = sum(x[k] for k in 0..T)
z = sum(x[k] for k in 0..3)
print y
print z
