# Setting an unknown param is an error of the command line.
# args: iteration=3
# usage: iteration

param iterations = 2
print iterations
