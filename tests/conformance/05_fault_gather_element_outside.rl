# An element gather that leaves the tensor at run time.
# fault: data

param u = 5.0
data = [1, 2, 3]
y = data[i32(u)]
print y
