# Probabilities that don't sum to 1, or are negative, are wrong where they are given.
# error: E0211 8:27 probabilities sum to 1
# error: E0211 9:24 probabilities sum to 1
# error: E0211 10:24 probabilities sum to 1
# error: E0211 11:24 probabilities sum to 1

index t in 0..3
fn f(q) = Categorical(p = q)
a[t] ~ Categorical(p = [0.2, 0.3, 0.4])
b[t] ~ Categorical(p = [1, 1])
c[t] ~ Categorical(p = [0.5, 0.6])
d[t] ~ f([0.5, 0.6])
