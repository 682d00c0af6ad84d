# one_hot(i, n) is 1 at i.
# expect: a = [0.0, 0.0, 1.0, 0.0]
# expect: b[t=0] = [1.0, 0.0, 0.0]
# expect: b[t=1] = [0.0, 1.0, 0.0]
# expect: b[t=2] = [0.0, 0.0, 1.0]
# expect: c = [[0.0, 1.0], [1.0, 0.0]]

index t in 0..3
print "a", one_hot(2, 4)
print "b", one_hot(t, 3)
print "c", one_hot([1, 0], 2)
