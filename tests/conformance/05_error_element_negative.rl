# Nothing counts from the end.
# error: E???? 5:5 data -1

data = [10, 20, 30]
y = data[-1]
