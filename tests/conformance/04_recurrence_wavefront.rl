# A recurrence along two indices at once: the edit distance of two sequences.
# expect: distance = 3
# expect: row[j=0] = 2
# expect: row[j=1] = 1
# expect: row[j=2] = 2
# expect: row[j=3] = 3
# expect: row[j=4] = 4
# expect: row[j=5] = 5

param n = 4
param m = 5
a = [1, 2, 3, 4]
b = [2, 3, 5, 4, 4]
index i in 0..=n
index j in 0..=m
D[i, j] = if i == 0 then j else if j == 0 then i else min(D[i-1, j] + 1, D[i, j-1] + 1, D[i-1, j-1] + i32(a[i-1] != b[j-1]))
print "distance", D[n, m]
print "row", D[2, j]
