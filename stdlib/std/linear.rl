# Linear algebra of small matrices.

## x of A x = b, by Gauss and Jordan without pivots: for positive definite matrices (mass matrices, covariances). A: f32[n, n], b: f32[n].
fn solved(A: f32[n, n], b: f32[n]) -> f32[n] {
  index k in 0..n
  M[0]   = concat(A, expand_dims(b, 1), axis = 1)
  M[k+1] = M -
    expand_dims(select(arange(n) == k, 0.0, M[..][0..n, k] / M[..][k, k]), 1) *
    expand_dims(M[..][k, 0..n+1], 0)
  x[k]   = M[n][k, n] / M[n][k, k]
  x[0..n]
}
