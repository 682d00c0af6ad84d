# A function's own index, with a bound that a param of its body names, may be what another function runs over.
# expect: total = 12.75

fn discounted(r: f32, γ: f32) over t -> f32 {
  G         = r + γ * G[t+1]
  G[end(t)] = 0.0
  G
}
fn twice(n: int) -> f32 {
  param steps = 2 * n
  index s in 0..steps
  r = 1.0 + s
  G[s] = discounted(r, 0.5, t = s)
  sum(G for s) - steps
}
total = twice(2)
print total
