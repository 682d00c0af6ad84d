# What is differentiated is a scalar.
# error: E???? 5:* scalar

w = [1.0, 2.0]
g = grad(w * w, w)
