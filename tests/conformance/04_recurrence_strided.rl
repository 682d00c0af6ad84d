# A recurrence with a stride of two.
# expect: x[t=0] = 1
# expect: x[t=1] = 10
# expect: x[t=2] = 2
# expect: x[t=3] = 20
# expect: x[t=4] = 4
# expect: x[t=5] = 40

index t in 0..4
x[0] = 1
x[1] = 10
x[t+2] = 2 * x
print x
