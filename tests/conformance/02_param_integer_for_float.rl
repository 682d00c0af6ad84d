# A float param takes an integer from the command line.
# args: lr=2
# expect: half = 0.5

param lr = 0.5
print "half", lr / 4
