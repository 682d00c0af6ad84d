# Without free indices there is one value.
# expect: y = 9

x = 1 + 2
y = x * x
print y
