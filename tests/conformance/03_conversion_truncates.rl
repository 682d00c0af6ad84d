# i32(x) truncates towards 0.
# expect: a = 2
# expect: b = -2
# expect: c = 0

print "a", i32(2.7)
print "b", i32(-2.7)
print "c", i64(-0.5)
