# Elements can be gathered.
# expect: y[t=0] = 1.5
# expect: y[t=1] = 3.5
# expect: y[t=2] = 2.5
# expect: y[t=3] = 1.5

data = [1.5, 2.5, 3.5]
index t in 0..4
j = (2 * t) % 3
y = data[j]
print y
