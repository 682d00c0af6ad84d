# Setting a param to something of another type is an error of the command line.
# args: n=many
# usage: n

param n = 2
index t in 0..n
x[t] = t
print x
