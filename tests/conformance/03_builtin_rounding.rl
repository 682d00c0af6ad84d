# floor, ceil, and round, which takes halves to even.
# expect: floor = [-2.0, -1.0, 0.0, 1.0, 2.0, 2.0]
# expect: ceil = [-1.0, 0.0, 1.0, 2.0, 3.0, 3.0]
# expect: round = [-2.0, 0.0, 0.0, 2.0, 2.0, 3.0]

x = [-1.5, -0.5, 0.5, 1.5, 2.5, 2.7]
print "floor", floor(x)
print "ceil", ceil(x)
print "round", round(x)
