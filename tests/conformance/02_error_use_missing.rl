# A file that is not there is an error.
# error: E???? 4:* nothing

use .lib.nothing.area
x = 1
