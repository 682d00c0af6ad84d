# An error in a distribution is said once, not again where it is drawn from, also when a draw is called what a method calls its argument.
# error: E0101 5:30 nothing

index t in 0..3
pi[t] = Categorical(logits = nothing)
a     ~ pi
l[t]  = pi.log_prob(a)
print l
