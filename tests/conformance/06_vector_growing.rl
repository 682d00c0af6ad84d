# A vector over a growing range: causal attention.
# expect: y[t=0] = 1.0
# expect: y[t=1] = 1.182425524
# expect: y[t=2] = 2.610306642
# expect: y[t=3] = 2.777234111

index t in 0..4
score = [0.5, -1.0, 2.0, 0.25][t]
value = t + 1.0
y = sum(softmax(score[k] for k in 0..t+1) * value[0..t+1])
print y
