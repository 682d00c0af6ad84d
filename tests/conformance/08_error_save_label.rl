# save needs a name.
# error: E???? 5:*

w = 1.0
save w
