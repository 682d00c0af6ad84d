# A class of probability 0 is not drawn.
# expect: all one = true

param N = 4000
index k in 0..N

x[k] ~ Categorical(logits = [-1000.0, 0.0, -1000.0])
print "all one", all(x == 1 for k)
