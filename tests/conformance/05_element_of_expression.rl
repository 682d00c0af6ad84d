# Any expression's value has elements.
# expect: a = 4
# expect: b = 6

a = ([1, 2, 3] * 2)[1]
b = cumsum([1, 2, 3])[2]
print a; print b
