# @ of integers is an integer and wraps.
# expect: x = 15
# expect: y = [17, 39]

x = [65536, 3] @ [65536, 5]
y = [[1, 2], [3, 4]] @ [5, 6]
print x; print y
