# What cannot be read is an error with its place.
# error: E???? 5:*

x = 1
y = (2 + ]
z = 3
