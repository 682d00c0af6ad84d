# What is required is one bool.
# error: E0202 5:16 one bool

x = [1.0, 2.0] + 0.0
y = require(x, x > 0.0, "x is positive")
