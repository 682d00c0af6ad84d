# Environments over a batch index.
# expect: r[b=0, t=0] = 0.75
# expect: r[b=0, t=1] = 1.0
# expect: r[b=1, t=0] = 1.0
# expect: r[b=1, t=1] = 1.5
# expect: terminated[b=0, t=0] = false
# expect: terminated[b=0, t=1] = false
# expect: terminated[b=1, t=0] = false
# expect: terminated[b=1, t=1] = true

env Counter {
  param limit = 3
  state { n: i32, x: f32 }
  action Discrete(3)
  reset { n = 0; x = 0.5 }
  step(a) {
    n' = n + a
    x' = x + 0.25 * a
  }
  observe = [f32(n), x]
  reward = x'
  terminated = n' >= limit
  truncated = false
}

index b in 0..2
index t in 0..2
s[b, 0] ~ Counter.reset()
(s[b, t+1], r, terminated, truncated) = Counter.step(s, b + 1)
print r
print terminated
