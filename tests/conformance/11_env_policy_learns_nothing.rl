# An environment inside a function over its actions.
# expect: r[k=0] = 0.5
# expect: r[k=1] = 0.75
# expect: r[k=2] = 1.0

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

fn act(E: env, a: i32) -> f32 {
  s ~ E.reset()
  (next, r, terminated, truncated) = E.step(s, a)
  r
}
index k in 0..3
r = act(Counter, k)
print r
