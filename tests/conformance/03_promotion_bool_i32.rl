# bool and i32 give i32.
# expect: x = 2
# expect: y = 0

x = true + 1
y = 3 * false
print x; print y
