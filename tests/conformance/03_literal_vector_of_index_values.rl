# A list may hold values that vary over indices.
# expect: x[t=0] = [0, 10]
# expect: x[t=1] = [1, 11]

index t in 0..2
x[t] = [t, t + 10]
print x
