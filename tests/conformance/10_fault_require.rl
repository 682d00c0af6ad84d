# What is required of data is tested where the program runs.
# fault: E0709]: it is required that x is large

x ~ Normal(0.0, 1.0)
z = require(x, x < 10.0, "x is small")
y = require(x, x > 10.0, "x is large")
print y + z
