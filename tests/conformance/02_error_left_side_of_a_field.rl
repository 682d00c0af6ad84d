# A field is not defined by itself, and nothing else is said of that.
# error: E0011 6:1 this can't be defined
# error: E0011 7:1 this can't be defined

record R { a: f32, b: i32 }
s.a = 2.0
s.b = 1
