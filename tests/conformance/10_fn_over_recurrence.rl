# A function over t may hold a recurrence.
# expect: G[b=0, t=0] = 2.75
# expect: G[b=0, t=1] = 3.5
# expect: G[b=0, t=2] = 3.0
# expect: G[b=1, t=0] = 20.25
# expect: G[b=1, t=1] = 18.5
# expect: G[b=1, t=2] = 13.0

fn discounted(r: f32, γ: f32) over t -> f32 {
  G         = r + γ * G[t+1]
  G[end(t)] = 0.0
  G
}
index b in 0..2
index t in 0..3
r = t + 1.0 + 10.0 * b
G = discounted(r, 0.5)
print G
