# Each point sums its children in a binary tree.
# expect: s[t=0] = 45
# expect: s[t=1] = 32
# expect: s[t=2] = 13
# expect: s[t=3] = 18
# expect: s[t=4] = 13
# expect: s[t=5] = 5
# expect: s[t=6] = 6
# expect: s[t=7] = 7
# expect: s[t=8] = 8
# expect: s[t=9] = 9

param n = 10
index t in 0..n
s[t] = t + (if 2 * t + 1 < n then s[2 * t + 1] else 0) + (if 2 * t + 2 < n then s[2 * t + 2] else 0)
print s
