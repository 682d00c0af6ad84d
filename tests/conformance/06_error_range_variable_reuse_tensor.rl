# Nor that of a tensor.
# error: E???? 5:* k

k = 3
y = sum(k for k in 0..5)
