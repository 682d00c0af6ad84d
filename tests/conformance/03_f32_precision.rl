# f32 arithmetic rounds to 24 bits.
# expect: gone = 0.0

param x = 16777217.0
print "gone", x - 16777216.0
