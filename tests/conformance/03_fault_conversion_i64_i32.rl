# An i64 that does not fit an i32 is a run-time error, not a wrap.
# fault: t=1

index t in 0..2
x[t] = i32(i64(2147483647) + t)
print x
