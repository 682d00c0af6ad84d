# i32 and i64 give i64.
# expect: x = 4000000002

a = 2000000000
b = i64(1)
x = a + b * 2 + a
print x
