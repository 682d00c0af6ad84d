# any and all.
# expect: a = true
# expect: b = false
# expect: c = false
# expect: d = true

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

print "a", any(x > 4.5 for t)
print "b", all(x > 0.0 for t)
print "c", any(x[k] > 4.5 for k in 0..4)
print "d", all(x[k] > 0.0 for k in 2..5)
