# A block comment may stand inside an expression and span lines.
# expect: x = 4

x = 1 + /* not
  2 + */ 3
print x
