# A dynamic programme whose step depends on data that is known: the knapsack.
# expect: row[c=0] = 0
# expect: row[c=1] = 0
# expect: row[c=2] = 3
# expect: row[c=3] = 4
# expect: row[c=4] = 6
# expect: row[c=5] = 7
# expect: row[c=6] = 9

weight_of = [2, 3, 4]
value_of = [3, 4, 6]
index k in 0..=3
index c in 0..=6
best[0, c] = 0
best[k in 1..=3, c] = max(best[k-1, c], if c >= weight_of[k-1] then best[k-1, clip(c - weight_of[k-1], 0, c)] + value_of[k-1] else 0)
print "row", best[3, c]
