# A function may give a tuple.
# expect: q = 3
# expect: r = 2

fn divide(a: i32, b: i32) -> (i32, i32) = (a // b, a % b)
(q, r) = divide(17, 5)
print q; print r
