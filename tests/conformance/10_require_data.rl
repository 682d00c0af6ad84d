# A requirement of data passes on records, integers and gradients.
# expect: record = {a: 2.0, k: 3}
# expect: whole[t=0] = 1
# expect: whole[t=1] = 2
# expect: slope = 4.0

index t in 0..2
x        ~ Uniform(2.0, 2.0)
both     = require({ a = x, k = 3 }, x > 1.0, "x is above 1")
whole[t] = require(t + 1, x > f32(t), "x is above t")
print "record", both
print whole
print "slope", grad(require(x, x > 0.0, "x is positive")^2, x)
