# A part of a policy that nobody has defined is told of, not left out.
# error: E0101 5:9 there is no `Dense` use std.nn.Dense

policy Actor(obs: f32[4]) -> Categorical {
  net = Dense(4, 2)
  Categorical(logits = net(obs))
}
w ~ Actor.init()
print w
print Actor(w, [0.0, 0.0, 0.0, 0.0]).probs()
