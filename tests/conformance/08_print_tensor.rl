# Tensors are printed as nested lists.
# expect: a = [1, 2]
# expect: b = [[1.5, 2.5], [3.5, 4.5]]
# expect: c = [true, false]

print "a", [1, 2]
print "b", [[1.5, 2.5], [3.5, 4.5]]
print "c", [true, false]
