# What must hold is asked for at the points that are read: not where a condition on indices leaves it out.
# expect: y[t=0] = true
# expect: y[t=1] = true
# expect: y[t=2] = true
# expect: y[t=3] = true
# expect: y[t=4] = true
# expect: q[6] = [0.0, 0.0, 0.0]

index t in 0..5
index s in 0..6
m[t] = [t < 3, t < 2]
move[t] ~ Categorical(logits = zeros([2]), mask = m)
y[t] = if t >= 3 then true else move < 2
print y

# So in a recurrence.
q[0] = [1.0, 1.0, 1.0]
k[s] = require(q, any(q > 0.0), "something is left")
q[s+1] = if s >= 3 then q else k * f32([0, 1, 2] > s)
print q[6]
