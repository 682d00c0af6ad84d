# Also where the left side is a single point.
# error: E???? 6:1 s t

index t in 0..3
u = 2 * t
s[0] = u
