# An i64 becomes the nearest f32, known or not.
# expect: f32(9007199791611905) = 9007200000000000.0
# expect: f32(a) = 9007200000000000.0

param a: i64 = 9007199791611905
print f32(9007199791611905)
print f32(a)
