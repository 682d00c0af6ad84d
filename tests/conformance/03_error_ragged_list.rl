# The elements of a list have one shape.
# error: E???? 4:*

a = [[1, 2], [3]]
