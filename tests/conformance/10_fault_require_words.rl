# Two requirements that look alike keep their own words.
# fault: it is required that it is above 5

x ~ Uniform(2.0, 2.0)
print require(x, x > 0.0, "it is above 0") + require(x, x > 5.0, "it is above 5")
