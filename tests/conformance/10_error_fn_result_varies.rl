# What a function gives may not vary over an index of its body. The mistake is there, whether or not the program, too, has an index of that name.
# error: E???? 8:3 result varies `n` body
# error: E???? 13:3 result varies `k` body

fn f(m: int) {
  index n in 0..m
  y[n] = 1.0 * n
  y
}
fn g(m: int) {
  index k in 0..m
  y[k] = 1.0 * k
  y
}
index n in 0..3
a[n] = f(4)
b[n] = g(4)
print a
print b
