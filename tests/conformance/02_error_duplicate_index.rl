# An index is declared once.
# error: E???? 5:* t

index t in 0..3
index t in 0..4
x[t] = t
