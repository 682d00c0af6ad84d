# An element gather whose range is known and leaves the tensor is checked while it runs.
# fault: data

index t in 0..9
data ~ Normal(zeros([6]), 1.0)
k = (t * t * t) % 7
j = k[t: 8 - t]
y = data[j]
print y
