# A vector of points that are defined by several equations, or by a choice between them, each point
# by its own: as it is shown, kept, reported and taken in two dimensions.
# expect: x = [1, 2]
# expect: x[0..2] = [1, 2]
# expect: y[0..3] = [0, 10, -2]
# expect: v = [1, 2]
# expect: w[t=0] = [1, 2]
# expect: w[t=1] = [2, 3]
# expect: w[t=2] = [3, 4]
# expect: pair = {a: [1, 2], b: [0, 10, -2]}
# expect: m[0..3, 0..2] = [[0.5, 0.0], [1.0, 0.5], [1.0, 1.0]]

index t in 0..3
index c in 0..3
x[0] = 1
x[1] = 2
y[t] = if t == 1 then 10 * t else -t
m[t, c] = 1.0 where c < t
m[t, c] = 0.5 where c == t
m[t, c] = 0.0 where c > t
v = x[0..2]
w[t] = x[0..2] + t
pair = { a = x[0..2], b = y[0..3] }
print x[0..2]
print y[0..3]
print v
print w
print pair
print m[0..3, 0..2]
report "x" = x[0..2]
