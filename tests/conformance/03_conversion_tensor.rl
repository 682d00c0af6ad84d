# Conversions work element by element.
# expect: x = [1, -1, 0]

x = i32([1.9, -1.9, 0.2])
print x
