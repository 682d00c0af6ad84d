# A draw that reads nothing of an index over which its function is called is one of each of its points all the same.
# expect: y.a[seed=0] = 44.650646
# expect: y.a[seed=1] = 36.392025

index seed in 0..2
fn f(x: f32, n: int) {
  index i in 0..3
  index u in 0..4
  index m in 0..2
  o[i, u] ~ Permutation(n)
  j[i, u, m] = o[i, u//2][(u%2)*2+m]
  q[i] ~ Normal(0.0, 1.0)
  k[i, u, m] = detach(q[i] + f32(j))
  z[0, 0] = x
  z[i, u+1] = z + sum(k for m)
  z[i+1, 0] = z[i, 4]
  { a = z[3, 0], b = z[0..3, 0] }
}
y[seed] = f(f32(seed), 5)
print y.a
