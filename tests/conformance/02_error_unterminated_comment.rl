# A block comment must end.
# error: E???? 5:*

x = 1
/* never closed
print x
