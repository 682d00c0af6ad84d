# A step may read two points back.
# expect: f[t=0] = 1
# expect: f[t=1] = 1
# expect: f[t=2] = 2
# expect: f[t=3] = 3
# expect: f[t=4] = 5
# expect: f[t=5] = 8
# expect: f[t=6] = 13
# expect: f[t=7] = 21

index t in 0..6
f[0] = 1
f[1] = 1
f[t+2] = f[t+1] + f[t]
print f
