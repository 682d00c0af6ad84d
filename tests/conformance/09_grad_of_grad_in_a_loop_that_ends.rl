# What each value is chosen by is followed once, however many ways lead there.
# expect: grad(grad(w[end(r)], p), p) = -13.59936
param p: f64 = 0.4
index r in 0..3 until good
index s in 0..6 until done
w[0] = p
n[r,s] = w * s
done[r,s] = s >= 2
l[r] = sum(n^3 for s)
w[r+1] = w - 0.1 * grad(l, w)
good = l < 0.04
print grad(grad(w[end(r)], p), p)
