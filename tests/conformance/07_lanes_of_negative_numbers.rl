# Long rows of lanes that begin below zero, taken through all rows by two loops.
# expect: m = 20840.0
# expect: w = [0.9824219, 0.49121094, 0.49121094, 250.3916]
index t in 0..40
index b in -256..0

x[b, 0]   = 1.0 * ((b + 256) % 7)
x[b, t+1] = (x[b, t] + 3.0) % 5.0
m         = sum(x[b, t] for b, t)
w[b, 0]   = 0.0
w[b, t+1] = max(w[b, t] * 0.5, x[b, t] - m / 10240.0)

print "m", m
print "w", [w[-256, 40], w[-3, 39], w[-1, 40], sum(w[b, 40] for b)]
