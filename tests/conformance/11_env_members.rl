# An env's own functions and equations: in its blocks, and from outside.
# expect: s[t=0] = {x: 1.0, n: 0}
# expect: s[t=1] = {x: 3.0, n: 1}
# expect: s[t=2] = {x: 7.0, n: 2}
# expect: limit = 14
# expect: twice = 6.0
# expect: space = [-1.0, 1.0]
# expect: choices = 2

env Doubling {
  param limit = 7
  state { x: f32, n: i32 }
  action Discrete(2)
  reset { x = start; n = 0 }
  step(a) {
    x' = grown(x) + a
    n' = n + 1
  }
  grown(y)  = 2.0 * y
  start     = 1.0
  steps     = 2 * limit
  interval  = Box(low = [-1.0], high = [1.0])
  observe   = [x]
  reward    = 0.0
  terminated = n' >= limit
}
index t in 0..2
s[0] ~ Doubling.reset()
(s[t+1], r, terminated, truncated) = Doubling.step(s, 1)
print s
print "limit", Doubling.steps
print "twice", Doubling.grown(3.0)
print "space", concat(Doubling.interval.low, Doubling.interval.high)
print "choices", Doubling.action_space.n
