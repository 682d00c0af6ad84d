# Where data say what is read, a gradient looks at them only where the index has not ended.
# expect: grad = 34.0
index b in 0..5
index s in 0..9 until done
n[b, 0]   = 0
n[b, s+1] = n + 1 + b % 2
done      = n >= 7
param p = 0.5
x[b, s] = p + n * 0.1
w[b, s] = x[b, s: min(n//2, s)]
print "grad", grad(sum(w for b, s), p)
