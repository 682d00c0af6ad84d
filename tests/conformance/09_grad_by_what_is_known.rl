# What a gradient is by may be known before the run: an argument, in a record, a list or under
# another name, and a list that is a param. Other constants of the same value are no part of it.
# expect: cube(2.0) = 12.0
# expect: cube(-(1.0 + 1.0)) = 12.0
# expect: twice(2.0) = 2.0
# expect: renamed(3.0) = 6.0
# expect: both({ a = 2.0, b = 1.0 }) = {a: 4.0, b: 4.0}
# expect: inner(1.0) = 15.0
# expect: otherwise(2.0) = 12.0
# expect: list(cube(1.0 * k) for k in 0..3) = [0.0, 3.0, 12.0]
# expect: grad(sum(xs^2), xs) = [2.0, 4.0]
# expect: grad(xs[0] * xs[1], xs) = [2.0, 1.0]

param xs = [1.0, 2.0]
fn cube(y) = grad(y^3, y)
fn twice(y: f32) = grad(2.0 * y, y)
fn renamed(x) { y = x; grad(y^2, y) }
fn both(r) = grad(r.a * r.a * r.b, r)
fn inner(y) = cube(y) + cube(2.0 * y)
fn otherwise(y, by = 3.0) = grad(y * by^2, by)
print cube(2.0)
print cube(-(1.0 + 1.0))
print twice(2.0)
print renamed(3.0)
print both({ a = 2.0, b = 1.0 })
print inner(1.0)
print otherwise(2.0)
print list(cube(1.0 * k) for k in 0..3)
print grad(sum(xs^2), xs)
print grad(xs[0] * xs[1], xs)
