# clip of floats and integers.
# expect: x = [-1.0, 0.25, 1.0]
# expect: n = [-1, 0, 2]

x = clip([-1.5, 0.25, 2.5], -1.0, 1.0)
n = clip([-3, 0, 4], -1, 2)
print x; print n
