# Operands with different indices give all of them; elements broadcast besides.
# expect: x[i=0, t=0] = [0, 1]
# expect: x[i=0, t=1] = [10, 11]
# expect: x[i=1, t=0] = [1, 2]
# expect: x[i=1, t=1] = [11, 12]

index i in 0..2
index t in 0..2
a[i] = [i, i + 1]
b[t] = 10 * t
x = b + a
print x
