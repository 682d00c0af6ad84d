# A file of the library is no item; what it has is listed, or where a name is defined.
# error: E0103 5:9 `std.wrappers` is a file: say which of its items use std.wrappers.Autoreset
# error: E0103 6:19 `std.wrappers` has no `Mlp` use std.nn.Mlp

use std.wrappers
use std.wrappers.{Mlp}
