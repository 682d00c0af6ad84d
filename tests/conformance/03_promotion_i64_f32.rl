# i64 and f32 give f32, which cannot hold 2^24 + 1.
# expect: same = false
# expect: rounded = 16777216

a = i64(16777217)
x = a + 0.0
print "same", i64(x) == a
print "rounded", i64(x)
