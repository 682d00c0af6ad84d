# A condition that reads a point which is there only if the range did not end.
# error: E0303 6:11 needs `x[9]` at s = 0, before it is known whether `s` goes on

index s in 0..10 until done
x[s] = 1.0 * s
done[s] = x[s] + x[9] > 12.0
report "x" = sum(x for s)
