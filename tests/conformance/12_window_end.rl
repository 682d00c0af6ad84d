# expect: x[i=0] = 5.0
# expect: x[i=1] = 12.0
# expect: x[i=2] = 26.0
# expect: y[i=0] = 10.0
# expect: y[i=1] = 14.0
# expect: y[i=2] = 14.0
# expect: last = 50.0
# What is read of a loop when it is through, its last points: by the next iteration of the loop outside, and by what follows.
index i in 0..3
index t in 0..4

x[0, 0]   = 1.0
x[i, t+1] = x[i, t] + 1.0
x[i+1, 0] = x[i, 4] + x[i, 2]

# Downward: 0, 1, 3, 6, 10 from t = 4 to 0 in the first iteration; the next begins with how far its last two points are apart.
y[0, 4]   = 0.0
y[i, t]   = y[i, t+1] + (4 - t)
y[i+1, 4] = y[i, 0] - y[i, 1]

last      = x[3, 0]
x_end[i]  = x[i, 4]
y_end[i]  = y[i, 0]
print "x", x_end
print "y", y_end
print "last", last
