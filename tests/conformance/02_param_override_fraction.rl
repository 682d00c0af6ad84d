# An integer param cannot be set to a fraction.
# args: n=2.5
# usage: n

param n = 2
print n
