# Nor that of a range variable around it.
# error: E???? 4:* k

y = sum(sum(k for k in 0..2) for k in 0..5)
