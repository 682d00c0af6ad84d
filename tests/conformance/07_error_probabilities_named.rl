# Probabilities that come of constants alone are known before the program runs, whatever they are called.
# error: E0211 11:24 probabilities sum to 1
# error: E0211 12:24 probabilities sum to 1

index t in 0..3
p     = [0.5, 0.6]
third = concat([0.2], p / 2.0, axis = 0)
good  = p / sum(p)
fn f(q) = Categorical(p = q)
x[t] ~ f(good)
a[t] ~ Categorical(p = p)
b[t] ~ Categorical(p = third)
print x, a, b
