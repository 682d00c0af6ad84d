# An unknown name is an error; the nearest known name is suggested.
# error: E???? 5:11 gama gamma

param gamma = 0.9
x = 2.0 * gama
print x
