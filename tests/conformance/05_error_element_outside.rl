# A static element access out of range is an error.
# error: E???? 5:5 data 3

data = [10, 20, 30]
y = data[3]
