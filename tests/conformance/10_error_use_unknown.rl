# An unknown module of the standard library is an error.
# error: E???? 4:* Dens

use std.nn.Dens
