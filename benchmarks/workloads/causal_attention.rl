# A policy that attends over its whole past, token by token: the next token is made of this one and of what it attended to.
use std.nn.Dense

param agents  = 4
param context = 512
param width   = 64

index b in 0..agents
index t in 0..context

module Token() {
  query  = Dense(width, width)
  key    = Dense(width, width)
  value  = Dense(width, width)
  output = Dense(width, width)
}

token       = Token()
w           ~ token.init()
x[b, 0]     ~ Normal(zeros(width), 1.0)
q           = token.query(w.query, x)
k           = token.key(w.key, x)
v           = token.value(w.value, x)
score[b, t] = logsumexp(dot(q, k[s]) / sqrt(f32(width)) for s in 0..t+1)
seen[b, t]  = sum(exp(dot(q, k[s]) / sqrt(f32(width)) - score) * v[s] for s in 0..t+1)
x[b, t+1]   = tanh(x + token.output(w.output, seen))

report "mean" = mean(mean(x[t: context]) for b)
