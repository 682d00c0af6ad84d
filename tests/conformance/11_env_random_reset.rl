# A reset draws; every environment starts elsewhere.
# tolerance: 0.07
# expect: inside = true
# expect: mean = 0.0
# expect: var = 0.08333333333
# expect: correlation = 0.0
# expect: equal = 0

env Drift {
  state { x: f32, v: f32 }
  action Discrete(2)
  reset { (x, v) ~ Uniform(-0.5, 0.5) }
  step(a) {
    x' = x + v
    v' = v + (if a == 1 then 0.1 else -0.1)
  }
  observe = [x, v]
  reward = -abs(x')
  terminated = false
  truncated = false
}
index b in 0..500
s[b, 0] ~ Drift.reset()
x[b] = s[b, 0].x
v[b] = s[b, 0].v
print "inside", all(abs(x) <= 0.5 and abs(v) <= 0.5 for b)
print "mean", mean(x for b)
print "var", var(v for b)
print "correlation", mean(x * v for b)
print "equal", sum(x == v for b)
