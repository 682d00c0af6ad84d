# The second argument is a tensor, a record, a point or a param.
# error: E???? 5:*

w = 2.0
g = grad(w * w, w + 1.0)
