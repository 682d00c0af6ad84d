# for NAME without a range is for declared indices.
# error: E???? 5:* q

x = 2
y = sum(x for q)
