# E.State makes a state; E.actions is the number of actions.
# expect: n = 4
# expect: r = 1.5
# expect: terminated = true

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

s = Counter.State(n = 2, x = 1.0)
(next, r, terminated, truncated) = Counter.step(s, 2)
print "n", next.n
print r
print terminated
