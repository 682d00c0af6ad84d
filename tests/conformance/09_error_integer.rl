# There is no derivative by an integer.
# error: E???? 5:* n

n = 3
g = grad(2.0 * n, n)
