# Bounds may mention only indices declared before.
# error: E???? 4:* i

index j in 0..i
index i in 0..3
x = i + j
