# softmax of a tensor is along the last axis or another, and does not overflow.
# expect: rows = [[0.09003057317, 0.2447284711, 0.6652409558], [0.0, 0.0, 1.0]]
# expect: columns = [[0.7310585786, 0.880797078, 0.0], [0.2689414214, 0.119202922, 1.0]]

a = [[1.0, 2.0, 3.0], [0.0, 0.0, 1000.0]]
print "rows", softmax(a)
print "columns", softmax(a, axis = 0)
