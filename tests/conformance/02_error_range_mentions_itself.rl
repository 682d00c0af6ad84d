# error: E0312 4:3 the range of `t` mentions `t` itself

index t in 0..4
G[t in t..3] = 1.0
print G
