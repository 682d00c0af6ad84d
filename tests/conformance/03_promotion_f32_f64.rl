# f32 and f64 give f64.
# expect: wide = true

a = f32(0.5)
b = f64(0.1)
x = a + b
print "wide", x == f64(0.6)
