# One round more than the condition has, in which no index ends.
# expect: grad(sum(x[i: 2, s: j] for j in 0..2), p) = 1.0
param p = 0.5
index i in 0..2
index s in 0..2 until done
done[i,s] = s == 1
x[i in 0..=2, s] = p * s
print grad(sum(x[i: 2, s: j] for j in 0..2), p)
