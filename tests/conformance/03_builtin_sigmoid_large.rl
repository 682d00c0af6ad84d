# sigmoid and tanh do not overflow.
# expect: sigmoid = [0.0, 1.0]
# expect: tanh = [-1.0, 1.0]

x = [-1000.0, 1000.0]
print "sigmoid", sigmoid(x)
print "tanh", tanh(x)
