# i64 and f64 give f64, which holds 2^24 + 1.
# expect: same = true

a = i64(16777217)
x = a + f64(0.0)
print "same", i64(x) == a
