# Dependences that no order along one index respects, but a skewed one does.
# expect: x[i=0, j=0] = 1
# expect: x[i=0, j=1] = 1
# expect: x[i=0, j=2] = 5
# expect: x[i=0, j=3] = 13
# expect: x[i=1, j=0] = 2
# expect: x[i=1, j=1] = 6
# expect: x[i=1, j=2] = 28
# expect: x[i=1, j=3] = 59
# expect: x[i=2, j=0] = 7
# expect: x[i=2, j=1] = 29
# expect: x[i=2, j=2] = 120
# expect: x[i=2, j=3] = 243
# expect: x[i=3, j=0] = 30
# expect: x[i=3, j=1] = 121
# expect: x[i=3, j=2] = 244
# expect: x[i=3, j=3] = 1

index i in 0..4
index j in 0..4
x[i, j] = 1 + (if i > 0 and j < 3 then x[i-1, j+1] else 0) + 2 * (if i < 3 and j > 1 then x[i+1, j-2] else 0)
print x
