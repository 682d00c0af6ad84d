# A condition chooses among records.
# expect: x[t=0] = 1.0
# expect: x[t=1] = 2.0
# expect: n[t=0] = 0
# expect: n[t=1] = -1

record P { x: f32, n: i32 }
index t in 0..2
a[t] = P(x = 1.0, n = t)
b[t] = P(x = 2.0, n = -t)
p = if a.n > 0 then b else a
print "x", p.x
print "n", p.n
