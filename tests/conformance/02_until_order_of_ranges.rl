# A sum's ranges in another order than the indices': what it reads is before the end all the same.
# expect: L[i=0] = 93.0
# expect: L[i=1] = 91.0
# expect: L[i=2] = 79.0
# expect: w[i=0] = 11.0
# expect: w[i=1] = 13.0
# expect: w[i=2] = 13.0
index b in 0..2
index i in 0..3
index s in 0..5 until done
n[i, b, 0]   = 0
n[i, b, s+1] = n + 1 + i + b
done         = n >= 4
x[i, b, s]   = 1.0 * n
L[i]         = sum(x * sum(x[i, b, s: j] for j in 0..s+1) for b, s)
print L
w[i] = sum(x for b, s if x > 2.5)
print w
