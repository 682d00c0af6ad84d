# .. on the left of a recurrence.
# expect: x[b=0, t=0] = 0
# expect: x[b=0, t=1] = 1
# expect: x[b=0, t=2] = 2
# expect: x[b=1, t=0] = 10
# expect: x[b=1, t=1] = 12
# expect: x[b=1, t=2] = 14

index b in 0..2
index t in 0..2
x[.., 0] = 10 * b
x[.., t+1] = x + 1 + b
print x
