# What the algorithms require of their arguments.

## `actions`, which is how many choices E has; an error if it is not. Where an action of E is no choice, that is for E.step to say (this library's own).
fn choices_of(E: env, actions: int) = require(actions, actions == E.choices or E.choices == 0,
  "actions is how many the environment has", "say `actions = E.actions` of the environment E")
## The log-probability `l` of what a policy drew, f32; an error if it is not one number (this library's own).
fn of_action(l) = require(l, len(shape(l)) == 0,
  "a policy gives one log-probability for its action",
  "of a vector of actions it is the sum: `Independent(Normal(...))`")
