# A param may state its type.
# expect: lr * 3.0 == f64(0.30000000000000004) = true
# expect: big = 9000000000

param lr: f64 = 0.1
param n: i64 = 3
print lr * 3.0 == f64(0.30000000000000004)
print "big", n * 3000000000
