# Of equal values argmax and argmin give the first.
# expect: a = 1
# expect: b = 3
# expect: c = 1
# expect: d = 3
# expect: f = -2

a = [1, 3, 3, 0, 0]
print "a", argmax(a[k] for k in 0..5)
print "b", argmin(a[k] for k in 0..5)
print "c", argmax(a)
print "d", argmin(a)
print "f", argmax(0 for k in -2..2)
