# A fault is one where something asks for it; what reads it elsewhere is computed there alone, too.
# args: j=2
# expect: z[t=2] = 1
# expect: z[t=3] = 1
# expect: z[t=4] = 2
# expect: v[4] = 10

param j = 2
index t in 0..5
x[t] = 10 % (t - j + 1)
y[t] = x + 1
z[t in 2..5] = y[t] + 0 * j
print z

# What is shown is asked for, and nothing besides.
v[t] = 10 // (t - 3)
print v[4]
