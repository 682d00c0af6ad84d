# Index values are i32.
# expect: x[t=0] = 0
# expect: x[t=1] = 1073741824
# expect: x[t=2] = -2147483648

index t in 0..3
x[t] = t * 1073741824
print x
