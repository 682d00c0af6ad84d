# An axis that the tensor lacks is an error.
# error: E???? 4:* axis

x = sum([1.0, 2.0], axis = 1)
