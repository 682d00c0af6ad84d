# sigmoid, relu, erf.
# expect: sigmoid = [0.1824255238, 0.3775406688, 0.5, 0.6224593312, 0.92414182]
# expect: relu = [0.0, 0.0, 0.0, 0.5, 2.5]
# expect: erf = [-0.9661051465, -0.5204998778, 0.0, 0.5204998778, 0.999593048]

x = [-1.5, -0.5, 0.0, 0.5, 2.5]
print "sigmoid", sigmoid(x)
print "relu", relu(x)
print "erf", erf(x)
