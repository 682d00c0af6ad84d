# A conversion that does not fit is a run-time error.
# fault: i32

param big = 3e9
x = i32(big)
print x
