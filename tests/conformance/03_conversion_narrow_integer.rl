# i32 of an i64 that fits is that number.
# expect: x = 1000

x = i32(i64(5000000000) - 4999999000)
print x
