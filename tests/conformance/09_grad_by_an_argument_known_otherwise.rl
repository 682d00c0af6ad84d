# What a gradient is by may tell a size and a condition besides, for it is known.
# expect: f(2.0) = 11.0
# expect: g(2.0, 3.0) = 12.0

fn f(c) {
  index t in 0..3
  x[t] = if c > 1.0 then 1.0 else x[t-1]
  y = c * 2.0
  sum(x for t) + grad(y^2, y)
}
fn g(c, x) { y = c * x; n = i32(c); sum(zeros([n])) + grad(y^2, y) }
print f(2.0)
print g(2.0, 3.0)
