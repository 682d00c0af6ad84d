# A name is declared once.
# error: E???? 5:* n

param n = 1
param n = 2
print n
