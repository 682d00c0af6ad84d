# An integer literal that is no u8 stays an i32 beside one, as one that is no i32 stays an i64.
# args: n=3
# expect: k + 1 = 4
# expect: k + 300 = 303
# expect: k * -1 = -3
# expect: max(k, 1000) = 1000
# expect: k + 255 = 2

param n = 3
k = u8(n)
print k + 1
print k + 300
print k * -1
print max(k, 1000)
print k + 255
