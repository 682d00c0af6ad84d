# Data cannot stand in a left-hand subscript.
# error: E???? 6:* j

index t in 0..3
j = t % 2
x[j] = 1
