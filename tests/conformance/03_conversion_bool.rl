# bool(x) is x != 0, and numbers of bools are 0 and 1.
# expect: a = true
# expect: b = false
# expect: c = 1
# expect: d = 0.0

print "a", bool(2)
print "b", bool(0.0)
print "c", i32(true)
print "d", f32(false)
