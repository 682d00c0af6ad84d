# The bandit of bsuite (bandit and bandit_noise; Osband et al., 2020).

## Choose one of `arms`; the episode is over after it. `rewards` are the arms' means, by default 0 to 1 (bsuite shuffles them: give a shuffled
## vector), and normal noise of standard deviation `noise` comes on top. Observation: f32[1], always 1. Reward: what the arm
## gives. An error: another number of means than arms.
env Bandit(arms: int = 11, rewards = linspace(0.0, 1.0, arms), noise = 0.0) {
  state { pulls: i32 }
  action Discrete(arms)
  reset { pulls = require(0, len(rewards) == arms, "there is a mean reward for each arm") }
  step(a) {
    luck   ~ Normal(0.0, 1.0)
    got    = rewards[a] + noise * luck
    pulls' = pulls + 1
  }
  observations = Box(low = [1.0], high = [1.0])
  observe      = [1.0]
  reward       = got
  terminated   = true
  truncated    = false
}
