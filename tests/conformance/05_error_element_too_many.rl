# More element subscripts than dimensions.
# error: E???? 5:* data

data = [10, 20, 30]
y = data[0, 1]
