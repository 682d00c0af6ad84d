# An element access that leaves the tensor at some point of an index.
# error: E???? 6:5 data t=3

index t in 0..4
data = [10, 20, 30]
y = data[t]
