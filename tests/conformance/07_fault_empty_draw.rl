# At run time, too, it is the program's range.
# fault: 5:22: error[E0706]: a draw from an empty range

index n in 0..5
k[n] ~ UniformInt(3, n + 2)
print k
