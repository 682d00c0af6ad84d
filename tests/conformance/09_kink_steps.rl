# floor, comparisons, argmax and integer conversions give 0.
# expect: floor = [0.0, 0.0]
# expect: ceil = [0.0, 0.0]
# expect: round = [0.0, 0.0]
# expect: comparison = [0.0, 0.0]
# expect: argmax = [0.0, 0.0]
# expect: conversion = [0.0, 0.0]
# expect: sign = [0.0, 0.0]
# warning: E0403 18:16 this gradient is 0: the loss depends on `x` only through rounding
# warning: E0403 19:15 this gradient is 0: the loss depends on `x` only through rounding
# warning: E0403 20:16 this gradient is 0: the loss depends on `x` only through rounding
# warning: E0403 21:21 this gradient is 0: the loss depends on `x` only through a condition
# warning: E0403 22:17 this gradient is 0: the loss depends on `x` only through an integer
# warning: E0403 23:21 this gradient is 0: the loss depends on `x` only through an integer
# warning: E0403 24:15 this gradient is 0: the loss depends on `x` only through rounding

x = [1.5, 2.5]
print "floor", grad(sum(floor(x)), x)
print "ceil", grad(sum(ceil(x)), x)
print "round", grad(sum(round(x)), x)
print "comparison", grad(sum(f32(x > 2.0)), x)
print "argmax", grad(f32(argmax(x)), x)
print "conversion", grad(sum(f32(i32(x))), x)
print "sign", grad(sum(sign(x)), x)
