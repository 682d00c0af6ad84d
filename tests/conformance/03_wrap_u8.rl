# u8 wraps.
# expect: x = 4
# expect: y = 254
# expect: z = 144

x = u8(250) + u8(10)
y = u8(3) - u8(5)
z = u8(20) * u8(20)
print x; print y; print z
