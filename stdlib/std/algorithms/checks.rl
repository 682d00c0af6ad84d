# What the algorithms require of their arguments.

## `actions`, which is how many choices E has; an error if it is not. Where an action of E is no choice, that is for E.step to say (this library's own).
fn choices_of(E: env, actions: int) = require(actions, actions == E.choices or E.choices == 0,
  "actions is how many the environment has", "say `actions = E.actions` of the environment E")
## The log-probability `l` of what a policy drew, f32; an error if it is not one number (this library's own).
fn of_action(l) = require(l, len(shape(l)) == 0,
  "a policy gives one log-probability for its action",
  "of a vector of actions it is the sum: `Independent(Normal(...))`")

## How many rounds of `frequency` steps there are, i32; an error if none of total_timesteps is left to learn in (this library's own).
fn rounds_of(total_timesteps: int, learning_starts: int, frequency: int) = require(
  total_timesteps // frequency,
  learning_starts >= 0 and learning_starts < total_timesteps,
  "learning starts while there are steps: 0 <= learning_starts < total_timesteps")
## The first round that learns, i32; an error if the buffer does not hold a batch then (this library's own).
fn first_round(learning_starts: int, frequency: int, batch_size: int, buffer_size: int) = require(
  learning_starts // frequency,
  batch_size <= min(buffer_size, frequency * (learning_starts // frequency + 1)),
  "batch_size is at most what the buffer holds when learning starts")
## After how many steps target weights are taken over once more, i32; an error if those are less than a round of train_frequency (this library's own).
fn takeover(target_network_frequency: int, train_frequency: int) = require(
  target_network_frequency, target_network_frequency >= train_frequency,
  "target_network_frequency is at least train_frequency")
