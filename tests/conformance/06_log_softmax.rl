# log_softmax does not underflow.
# expect: a = [-1000.0, 0.0]
# expect: b = [-1.313261688, -0.3132616875]

print "a", log_softmax([0.0, 1000.0])
print "b", log_softmax([1.0, 2.0])
