# Each point reads its parent in a binary tree.
# expect: x[t=0] = 1
# expect: x[t=1] = 3
# expect: x[t=2] = 4
# expect: x[t=3] = 9
# expect: x[t=4] = 10
# expect: x[t=5] = 13
# expect: x[t=6] = 14
# expect: x[t=7] = 25
# expect: x[t=8] = 26
# expect: x[t=9] = 29

index t in 0..10
x[t] = if t == 0 then 1 else 2 * x[(t - 1) // 2] + t
print x
