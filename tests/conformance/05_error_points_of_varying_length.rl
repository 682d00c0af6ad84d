# Points whose vectors have lengths of their own have none in common: neither as a slice, nor where data choose, nor summed.
# error: E0202 8:9 several points of f32[t + 1] have no length in common
# error: E0202 9:9 several points of f32[t + 1] have no length in common
# error: E0202 10:11 the points of f32[k + 1] have no length in common

index t in 0..3
y = zeros(t + 1)
print y[0..2]
print y[t: [0, 1]]
print sum(y[k] for k in 0..2)
