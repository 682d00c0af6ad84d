# print x prints every point at which x is defined, in lexicographic order.
# expect: x[b=0, t=0] = 0
# expect: x[b=0, t=1] = 10
# expect: x[b=0, t=2] = 20
# expect: x[b=1, t=0] = 1
# expect: x[b=1, t=1] = 11
# expect: x[b=1, t=2] = 21

index b in 0..2
index t in 0..2
x[b, 0] = b
x[b, t+1] = x + 10
print x
