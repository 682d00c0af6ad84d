# Of a thousand environments in lanes few begin anew at most steps, and at some all of them at once: each draws its own first state.
# tolerance: 1e-4
# expect: episodes = 4387
# expect: truncated = 2259
# expect: fresh = 0.2235203
# expect: largest = 0.049973276
# expect: last = -7.8739333
env Wander {
  state { x: f32, y: f32, steps: i32 }
  action Discrete(2)
  reset { (x, y) ~ Uniform(-0.05, 0.05); steps = 0 }
  step(a) {
    x'     = x + 0.02 * y
    y'     = y + (if a == 1 then 0.5 else -0.5)
    steps' = steps + 1
  }
  observe    = [x, y]
  reward     = x'
  terminated = abs(y') > 1.9
  truncated  = steps' >= 11
}

index b in 0..1100
index t in 0..40
s[b, 0] ~ Wander.reset()
a[b, t] ~ Discrete(2)
(s[b, t+1], r, terminated, truncated, last) = Wander.autoreset(s, a)
print "episodes", sum(terminated or truncated for b, t)
print "truncated", sum(truncated for b, t)
print "fresh", sum(s[b, t+1].x for b, t if terminated or truncated)
print "largest", max(s[b, t+1].y for b, t if terminated or truncated)
print "last", sum(s[b, 40].x * (b % 7 + 1) for b)
