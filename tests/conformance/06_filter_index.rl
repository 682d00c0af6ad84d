# A filter on range variables.
# expect: y = 12
# expect: z = 66

y = sum(k for k in 0..10 if k % 3 == 1)
z = sum(10 * j + k for j in 0..3, k in 0..3 if j != k)
print y; print z
