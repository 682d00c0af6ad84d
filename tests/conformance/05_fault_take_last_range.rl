# The log-probability of a class that there is not, as a distribution of another number of classes draws it.
# fault: subscript

index t in 0..20
logits ~ Normal(zeros([3]), 1.0)
a[t] ~ Categorical(logits = zeros([5]))
p = Categorical(logits).log_prob(a)
print p
