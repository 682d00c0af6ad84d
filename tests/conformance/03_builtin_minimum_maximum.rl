# minimum and maximum work element by element, broadcast, and pass NaN on.
# expect: x = [1.0, 2.0]
# expect: y = [[2, 3], [4, 4]]
# expect: n = [nan, nan]

param z = 0.0
x = minimum([1.0, 5.0], [3.0, 2.0])
y = maximum([[1], [4]], [2, 3])
n = [maximum(z / z, 1.0), minimum(1.0, z / z)]
print x; print y; print n
