# Shapes that do not broadcast are an error.
# error: E???? 4:* 3 2

x = [1, 2, 3] + [1, 2]
