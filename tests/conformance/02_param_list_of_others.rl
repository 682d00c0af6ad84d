# Lists of records and tuples stay what they are; numbers of a list have its declared type.
# expect: zeros([envs[0].n]) = [0.0, 0.0, 0.0]
# expect: n // 2 = 1
# expect: flags = [true, false]
# expect: sum(xs) - f64(0.6) = 1.1102230246251565e-16
# expect: grad(sum(xs^2), xs) = [0.2, 0.4, 0.6]
# expect: sum(1 for i) = 3

param envs = [{ n = 3, g = 0.5 }, { n = 4, g = 0.9 }], pair = (3, 0.5), flags = [true, false]
param xs: f64[3] = [0.1, 0.2, 0.3]
param sizes = [2.0, 3.0]
(n, lr) = pair
index i in 0..i32(sizes[1])
print zeros([envs[0].n])
print n // 2
print flags
print sum(xs) - f64(0.6)
print grad(sum(xs^2), xs)
print sum(1 for i)
