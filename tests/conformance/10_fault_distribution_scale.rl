# A deviation that is data is tested where it is drawn with or asked for a density; with 0 a draw is the mean.
# expect: x[t=0] = [3, 3]
# expect: x[t=1] = [3, 3]
# fault: [E0709] it is required that scale is not negative hint: of any number, `exp(x)` and `softplus(x)` make a deviation

index t in 0..3
x[t] ~ Normal([3.0, 3.0], [0.0, if t < 2 then 0.0 else -1.0])
print x
