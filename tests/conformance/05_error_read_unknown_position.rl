# A named entry must name a position.
# error: E???? 7:* b

index b in 0..3
index t in 0..3
x = 2 * t
y = x[b: 0]
