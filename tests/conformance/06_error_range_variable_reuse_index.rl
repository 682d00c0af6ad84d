# A range variable may not reuse the name of an index.
# error: E???? 6:* t

index t in 0..3
x = t + 1
y = sum(t for t in 0..5)
