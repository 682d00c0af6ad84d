# An equation without subscripts is defined over exactly the free indices of its right side: over those of a branch that a param rules out, too.
param double = false
index b in 0..2
index t in 0..2
x[t] = 0.5 * t
y = if double then x else 2.0
z = 1 < 2 or b > 0
fn never(k) = if k == 0 then 0.0 else never(k - 1)
w = if double then never(b) + never(-1) else x

# expect: y[t=0] = 2.0
# expect: y[t=1] = 2.0
# expect: z[b=0] = true
# expect: z[b=1] = true
# expect: w[b=0, t=0] = 0.0
# expect: w[b=0, t=1] = 0.5
# expect: w[b=1, t=0] = 0.0
# expect: w[b=1, t=1] = 0.5
print y
print z
print w
