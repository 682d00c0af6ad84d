# A point reads the one before and the one at half.
# expect: q[n=1] = 1
# expect: q[n=2] = 1
# expect: q[n=3] = 2
# expect: q[n=4] = 3
# expect: q[n=5] = 4
# expect: q[n=6] = 6
# expect: q[n=7] = 8
# expect: q[n=8] = 11
# expect: q[n=9] = 14
# expect: q[n=10] = 18
# expect: q[n=11] = 22

index n in 1..12
q[n] = if n <= 2 then 1 else q[n-1] + q[n // 2]
print q
