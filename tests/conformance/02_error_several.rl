# All errors of a file are reported at once, in the order of their places.
# error: E???? 5:5 alpha
# error: E???? 7:5 beta

x = alpha + 1
y = 2
z = beta + y
