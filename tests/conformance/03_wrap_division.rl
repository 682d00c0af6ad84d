# The one quotient that does not fit wraps.
# expect: q[t=0] = -2147483648
# expect: r[t=0] = 0
# expect: a[t=0] = -2147483648

index t in 0..1
lowest[t] = -2147483647 - 1 - t
q = lowest // (t - 1)
r = lowest % (t - 1)
a = abs(lowest)
print q; print r; print a
