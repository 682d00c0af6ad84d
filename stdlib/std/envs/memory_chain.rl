# The memory chain of bsuite (memory_len and memory_size; Osband et al., 2020).
use std.grid.cell

## Remember `bits` random bits that are seen at the beginning, and say after `length` steps what the asked one was. Observation: f32[2 + bits]: the
## time that is left, from 1 to 0; the number of the asked bit, at the step before the last one; the bits as -1 and 1, at the beginning. As in
## bsuite, an observation is of the step before: the first one comes twice. Reward 1 or -1 at the end, after `length` + 1 actions. An error: length or
## bits < 1.
env MemoryChain(length: int = 10, bits: int = 1) {
  state { time: i32, context: i32[bits], query: i32 }
  action Discrete(2)
  reset {
    ones    ~ Bernoulli(zeros([bits]) + 0.5)
    context = i32(ones)
    query   ~ UniformInt(0, bits)
    time    = require(0, length >= 1 and bits >= 1, "there is at least one step, and one bit")
  }
  step(a) {
    time'    = time + 1
    context' = context
    query'   = query
    correct  = a == context[query]
  }
  seen         = max(time - 1, 0)
  observations = Box(low = concat([0.0, 0.0], zeros([bits]) - 1.0),
    high = concat([1.0, f32(bits - 1)], ones([bits])))
  observe      = concat([1.0 - seen / length, if seen == length - 1 then f32(query) else 0.0],
    if seen == 0 then f32(2 * context - 1) else zeros([bits]))
  reward       = if not terminated then 0.0 else if correct then 1.0 else -1.0
  terminated   = time' > length
  truncated    = false
}
