# Later ranges may mention earlier variables.
# expect: y = 70
# expect: z = 35

a = [1, 2, 4, 8]
y = sum(a[j] * a[k] for j in 0..4, k in 0..j)
z = sum(1 for j in 0..5, k in j..5, l in k..5)
print y; print z
