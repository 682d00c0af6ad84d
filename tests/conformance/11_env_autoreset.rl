# autoreset resets in the same step and also returns the final observation.
# expect: r[t=0] = 1.0
# expect: r[t=1] = 1.5
# expect: r[t=2] = 1.0
# expect: r[t=3] = 1.5
# expect: r[t=4] = 1.0
# expect: terminated[t=0] = false
# expect: terminated[t=1] = true
# expect: terminated[t=2] = false
# expect: terminated[t=3] = true
# expect: terminated[t=4] = false
# expect: last[t=0] = [2.0, 1.0]
# expect: last[t=1] = [4.0, 1.5]
# expect: last[t=2] = [2.0, 1.0]
# expect: last[t=3] = [4.0, 1.5]
# expect: last[t=4] = [2.0, 1.0]
# expect: n = 2

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

index t in 0..5
s[0] ~ Counter.reset()
(s[t+1], r, terminated, truncated, last) ~ Counter.autoreset(s, 2)
print r
print terminated
print last
print "n", s[5].n
