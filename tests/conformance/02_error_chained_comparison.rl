# Comparisons do not chain.
# error: E???? 4:*

x = 1 < 2 < 3
