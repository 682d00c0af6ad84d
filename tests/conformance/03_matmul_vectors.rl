# @ of two vectors is their scalar product.
# expect: x = 32.0

x = [1.0, 2.0, 3.0] @ [4.0, 5.0, 6.0]
print x
