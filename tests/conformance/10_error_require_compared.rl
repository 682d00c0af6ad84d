# What does not hold is shown with what it compares, as far as that is known, and with a way out.
# error: E0211 4:24 the size fits; size is 5, 2 * limit - 1 is 3
# error: E0211 7:17 the mode is known; mode is "fast"
fn fits(size, limit) = require(size, size >= 1 and size <= 2 * limit - 1, "the size fits",
  "make it smaller")
print fits(5, limit = 2)
fn fast(mode) = require(mode == "exact", mode == "slow" or mode == "exact", "the mode is known")
print fast("fast")
