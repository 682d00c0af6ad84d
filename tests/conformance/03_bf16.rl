# bf16 has 8 bits of precision and rounds to even.
# expect: a = 1.0
# expect: b = 1.015625
# expect: c = 3.0

a = f32(bf16(1.00390625))
b = f32(bf16(1.01171875))
c = f32(bf16(3.0))
print a; print b; print c
