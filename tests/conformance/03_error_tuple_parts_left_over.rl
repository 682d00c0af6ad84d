# A part that is not needed is named, too: by `_`.
# error: E0201 7:1 the right side has 3 parts, and here are 2
# error: E0201 9:5 the right side has 2 parts, and here are 1

index t in 0..3
fn f(x) = (x, 2.0 * x, 3.0 * x)
(a[t], b[t]) = f(1.0 * t)
(c[t], _, _) = f(1.0 * t)
(d, (e,)) = (1.0, (2.0, 3.0))
print c
