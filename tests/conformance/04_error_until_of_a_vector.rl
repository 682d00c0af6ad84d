# error: E0201 4:23 the condition of `until` is one bool, not bool[2]

index t in 0..3
index k in 0..3 until d
d[k] = [k >= 1, k >= 2]
print end(k)
