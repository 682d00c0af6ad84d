# A loop over the inner of two ends is left at once past the outer one, where nothing says how far it would go.
# args: --disable-pass=domain-reduction
# expect: grad = 3.0360003
index b in 0..4
index s in 0..4 until done
index h in 0..3 until enough
param p = 0.8
n[b, 0]      = 0
n[b, s+1]    = n + 1 + b % 2
done         = n >= 2
e[b, s]      ~ Uniform(0.0, 1.0)
k[b, s, 0]   = p
k[b, s, h+1] = k * 1.5 + 0.1 * e[b, s: clip(n//2, 0, s)]
enough       = k > 1.5
x[b, 0]      = 1.0 - p * 0.5
x[b, s+1]    = x * p + 0.1
u[b, s]      = p * x
print "grad", grad(sum(0.5 * sum(u for s) for b), p)
