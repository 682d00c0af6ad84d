# What an env does not have is said with what it has.
# error: E0111 13:7 the env `Walk` has no `observation_space` it has `reset` `action_space` `bounds`
# error: E0111 14:7 the env `Walk` has no `bound` did you mean `bounds`
env Walk {
  state { x: f32 }
  action Discrete(2)
  reset { x = 0.0 }
  step(a) { x' = x + f32(a) }
  bounds  = [0.0, 10.0]
  observe = x
  reward  = x'
}
print Walk.observation_space
print Walk.bound
