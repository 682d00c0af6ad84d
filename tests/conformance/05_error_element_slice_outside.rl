# A slice of elements out of range.
# error: E???? 5:9 data

data = [10, 20, 30]
y = sum(data[1..4])
