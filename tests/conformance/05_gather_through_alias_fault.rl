# A subscript is tested against the points of what it reads, although that is a part of something larger.
# fault: is out
index t in 0..4
z[t] = 0.5 * t
x[t in 0..2] = z
n[t] = i32(1.0 * t)
y[t] = x[t: n]
print y
