# NaN is no integer.
# fault: i32

param zero = 0.0
x = i32(zero / zero)
print x
