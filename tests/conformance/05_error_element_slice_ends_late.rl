# Where a slice has elements, all of them exist.
# error: E???? 6:7 element 3 does not exist at t = 3

m = [1, 2, 3]
index t in 0..4
print m[0..t+1]
