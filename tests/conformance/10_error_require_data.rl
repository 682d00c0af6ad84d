# What is required must be known when the program is compiled.
# error: E0213 5:16 required known

x ~ Normal(0.0, 1.0)
y = require(x, x > 0.0, "x is positive")
