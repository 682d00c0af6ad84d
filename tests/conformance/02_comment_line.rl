# A comment runs from # to the end of the line.
# expect: x = 1

x = 1   # x = 2
# x = 3
print x
