# Calls, brackets and . bind more tightly than any operator.
# expect: a = -16
# expect: b = 18

record P { v: i32[2] }
p = P(v = [3, 4])
a = -p.v[1] ^ 2
b = 2 * abs(-3) ^ 2
print a; print b
