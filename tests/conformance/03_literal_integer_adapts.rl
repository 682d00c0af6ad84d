# An integer literal takes the type of what it is combined with.
# expect: a = 6000000000
# expect: odd = true
# expect: byte = 44

a = i64(2) * 3000000000
b = f64(1.0) + 9007199254740992
c = u8(200) + 100
print a; print "odd", b == f64(9007199254740992.0); print "byte", i32(c)
