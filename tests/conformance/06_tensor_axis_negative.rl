# A negative axis counts from the last, as in NumPy.
# expect: sum = [7.0, 18.0]
# expect: max = [3.0, 5.0, 10.0]

a = [[1.0, 2.0, 4.0], [3.0, 5.0, 10.0]]
print "sum", sum(a, axis = -1)
print "max", max(a, axis = -2)
