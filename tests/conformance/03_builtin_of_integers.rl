# Real functions of integers are f32.
# expect: a = 4.0
# expect: b = 1.0
# expect: c = [0.0, 0.761594156]

print "a", sqrt(16)
print "b", exp(0)
print "c", tanh([0, 1])
