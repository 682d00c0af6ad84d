# A cycle without indices.
# error: E???? 4:1 a b

a = b + 1
b = a - 1
