# and, or, not are for bools.
# error: E???? 4:* bool

a = 1 and true
