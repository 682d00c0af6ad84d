# What the algorithms report of the episodes that they play.

## What an episode has gained up to and including each step, f32: `t` counts the steps of a round, and an episode goes on in the next round `i` where
## the last one left it. At an episode's last step that is its return, as Gymnasium's RecordEpisodeStatistics has it. r: f32; done: bool, whether the
## step ended its episode.
fn gained(r: f32, done: bool) over i, t -> f32 {
  before[begin(i), begin(t)] = 0.0
  before[i, t+1]        = if done then 0.0 else before + r
  before[i+1, begin(t)] = before[i, end(t)]
  before + r
}
