# An integer literal takes the type of what it is combined with.
# expect: a = 6000000000
# expect: odd = true
# expect: byte = 44

a = i64(2) * 3000000000
b = f64(0.0) + 16777217
c = u8(200) + 100
print a; print "odd", b == f64(16777217); print "byte", i32(c)
