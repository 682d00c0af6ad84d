# each k i: every k-th point and the last.
# expect: square[i=0] = 0
# expect: square[i=2] = 4
# expect: square[i=4] = 16
# expect: square[i=5] = 25

index i in 0..6
x = i * i
report "square" = x each 2 i
