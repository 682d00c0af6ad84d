# What was not asked the first time is not asked again for the message.
# error: E0211 3:11 one
fn f(m) = require(1, not (len(shape(m)) == 0 or len(m) > 1), "one")
print f(2.0)
