# use takes names from a file beside this one.
# expect: a = 6.0
# expect: b = 3.0
# expect: width = 4.0

use .lib.shapes.area
use .lib.shapes.{side, Square}
a = area(2.0, 3.0)
b = side(9.0)
s = Square(width = 4.0)
print a; print b
print "width", s.width
