# Through softmax, cumsum, sort.
# expect: softmax = [-0.2444212585, -0.02804749181, -0.03127778189, 0.3037465322]
# expect: cumsum = [10.0, 9.0, 7.0, 4.0]
# expect: sort = [2.0, 1.0, 4.0, 3.0]

a = [0.5, -1.0, 2.0, 1.5]
c = [1.0, 2.0, 3.0, 4.0]
print "softmax", grad(dot(softmax(a), c), a)
print "cumsum", grad(dot(cumsum(a), c), a)
print "sort", grad(dot(sort(a), c), a)
