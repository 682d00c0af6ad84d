# error: E0201 4:22 a filter is one bool, not bool[2]

index t in 0..2
print sum(t for t if [true, false])
