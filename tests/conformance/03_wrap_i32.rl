# i32 wraps.
# expect: x[t=0] = 2147483646
# expect: x[t=1] = 2147483647
# expect: x[t=2] = -2147483648
# expect: x[t=3] = -2147483647
# expect: x[t=4] = -2147483646
# expect: y = 0
# expect: z = 2147483645

index t in 0..4
x[0] = 2147483646
x[t+1] = x + 1
y = 65536 * 65536
z = -x[2] - 3
print x; print y; print z
