# Reductions nest.
# expect: y = 10
# expect: z = 7

a = [[3, 1, 2], [0, 7, 5]]
y = sum(max(a[j, k] for k in 0..3) for j in 0..2)
z = max(sum(a[j, k] for k in 0..j+1) for j in 0..2)
print y; print z
