# abs and relu give 0 at 0.
# expect: abs = [-1.0, 0.0, 1.0]
# expect: relu = [0.0, 0.0, 1.0]

x = [-2.0, 0.0, 3.0]
print "abs", grad(sum(abs(x)), x)
print "relu", grad(sum(relu(x)), x)
