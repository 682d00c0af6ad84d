# dot of vectors, and norm of all elements or along an axis.
# expect: dot = 11.0
# expect: norm = 5.0
# expect: all = 11.18033989
# expect: rows = [5.0, 10.0]
# expect: columns = [6.708203932, 8.94427191]

a = [[3.0, 4.0], [6.0, 8.0]]
print "dot", dot([1.0, 2.0], [3.0, 4.0])
print "norm", norm([3.0, 4.0])
print "all", norm(a)
print "rows", norm(a, axis = 1)
print "columns", norm(a, axis = 0)
