# A condition is a bool.
# error: E???? 4:* bool

a = if 1 then 2 else 3
