# report logs a metric for each point of its free indices.
# expect: square[i=0] = 0
# expect: square[i=1] = 1
# expect: square[i=2] = 4
# expect: total = 5

index i in 0..3
x = i * i
report "square" = x
report "total" = sum(x for i)
