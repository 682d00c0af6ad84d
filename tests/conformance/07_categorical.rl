# Categorical(logits = ...) draws positions with the probabilities softmax(logits).
# tolerance: 0.05
# expect: zero = 0.2447284711
# expect: one = 0.6652409558
# expect: two = 0.09003057317

param N = 4000
index k in 0..N

x[k] ~ Categorical(logits = [0.0, 1.0, -1.0])
print "zero", mean(x == 0 for k)
print "one", mean(x == 1 for k)
print "two", mean(x == 2 for k)
