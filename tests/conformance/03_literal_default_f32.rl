# A float literal is f32 where nothing says otherwise.
# expect: b = true
# expect: c = false

a = 16777216.0
b = a + 1.0 == a
c = f64(0.1) == f64(f32(0.1))
print b; print c
