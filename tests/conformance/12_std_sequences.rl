# args: --seed 1
# expect: y[k=0, t=0] = [11.0]
# expect: y[k=0, t=1] = [18.0]
# expect: y[k=0, t=2] = [26.0]
# expect: y[k=0, t=3] = [35.0]
# expect: y[k=1, t=0] = [5.0]
# expect: y[k=1, t=1] = [9.0]
# expect: y[k=1, t=2] = [5.0]
# expect: y[k=1, t=3] = [11.0]
# expect: by the weight = {a: [44.0]}
# expect: starts = [4, 8]
# expect: priority = 3.8
# Replayed sequences: from stored states, with burn-in, and anew after an episode's end.
use std.replay.{Sequences, unrolled}

# h[t+1] = a h + x: the episode's sum with a = 1.
module Sum() {
  weight a: f32[1] = 1.0
  initial()   = zeros([1])
  features(h) = h
  apply(x: f32[1], h: f32[1]) -> f32[1] = a * h + x
}

param steps  = 12
param length = 4
index n in 0..steps
index k in 0..2
index t in 0..length

core   = Sum()
w      = core.init()
obs[n] = reshape(f32(n), [1])
over   = n % 5 == 4
h[0]   = core.initial()
h[n+1] = if over then core.initial() else core(w, obs, h)

j[k]         = if k == 0 then 6 else 3
x[k, t]      = obs[n: j+t]
stored[k, t] = if k == 0 then h[n: j+t] else 2.0 + zeros([1])
ended[k, t]  = over[n: j+t]
y            = unrolled(core, w, x, stored, ended, 2)
print y
print "by the weight", grad(sum(y[k: 0, t: 3]), w)  # two steps back: (a^2 18 + a 8 + 9)', not further

# Of the last 8 of 12 steps, sequences of 4 begin at 4 to 8.
index d in 0..200
first[d] ~ Sequences(8, 4).start(steps)
print "starts", [min(first for d), max(first for d)]
print "priority", Sequences(8, 4).priority([1.0, -4.0, 1.0])
