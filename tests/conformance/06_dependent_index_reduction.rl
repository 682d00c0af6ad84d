# A reduction over a declared index whose range depends on another.
# expect: y[i=0] = 0
# expect: y[i=1] = 21
# expect: y[i=2] = 63
# expect: y[i=3] = 126
# expect: z = 210

index i in 0..4
index j in 0..=i
x = 10 * i + j
y = sum(x for j)
z = sum(x for i, j)
print y
print z
