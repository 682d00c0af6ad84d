# Items may come in any order; prints are in source order.
# expect: y = 9
# expect: x = 6

print y
y = x + n
print x
x = 2 * n
param n = 3
