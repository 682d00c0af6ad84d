# Generalized advantage estimation as a function over t.
# expect: A[b=0, t=0] = 2.12
# expect: A[b=0, t=1] = 1.0
# expect: A[b=0, t=2] = 6.36
# expect: A[b=0, t=3] = 4.25
# expect: A[b=1, t=0] = 0.49616
# expect: A[b=1, t=1] = 0.828
# expect: A[b=1, t=2] = -0.1
# expect: A[b=1, t=3] = 0.0

fn gae(r: f32, v: f32, end_of: bool, γ: f32, λ: f32) over t -> f32 {
  δ         = r + γ * (if end_of then 0.0 else v[t+1]) - v
  A         = δ + γ * λ * (if end_of then 0.0 else A[t+1])
  A[end(t)] = 0.0
  A
}
index b in 0..2
index t in 0..4
r = [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0]][b, t]
v[b, t in 0..=4] = if b == 0 then 0.5 * (t + 1) else 1.0
over_at = (b == 0 and t == 1) or (b == 1 and t == 3)
A = gae(r, v, over_at, 0.9, 0.8)
print A
