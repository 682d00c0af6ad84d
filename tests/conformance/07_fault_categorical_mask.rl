# A mask that holds nowhere leaves nothing to draw, in one vector of several, either.
# fault: at least one action is legal

index t in 0..40
u[t] ~ Uniform()
a[t] ~ MultiDiscrete(zeros([2, 2]), mask = [[u > 0.5, true], [u > 0.2, u > 0.9]])
print a
