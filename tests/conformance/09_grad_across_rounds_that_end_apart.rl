# A round reads the one before, which ends later.
# expect: grad(th[3], p) = 70.0
param p = 0.5
index i in 0..3
index s in 0..4 until done
done[i,s] = s == 2 - i
th[0]     = p
x[i,s]    = th * (s + 1) + (if i > 0 then x[i-1,s] else 0.0)
th[i+1]   = th + sum(x for s)
print grad(th[3], p)
