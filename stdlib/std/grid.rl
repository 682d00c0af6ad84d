# Boards of cells, as games have them.

## true in one cell of a board: bool[rows, columns]. All false where the cell lies outside.
fn cell(row, column, rows, columns) =
  expand_dims(arange(rows) == row, 1) and expand_dims(arange(columns) == column, 0)

## A board, [rows, columns] of f32, i32 or bool, moved down by one row; what leaves it below comes in above.
fn rolled_down(x) = concat(x[len(x)-1..len(x)], x[0..len(x)-1], axis = 0)
## A board moved up by one row; what leaves it above comes in below. [rows, columns] of f32, i32 or bool.
fn rolled_up(x) = concat(x[1..len(x)], x[0..1], axis = 0)
