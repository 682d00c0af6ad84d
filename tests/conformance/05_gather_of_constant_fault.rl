# A subscript is tested against the points of what it reads, although these all have one value.
# fault: is out
index t in 0..4
x[t] = 1.0
n[t] = i32(2.0 * t)
y[t] = x[t: n]
print y
