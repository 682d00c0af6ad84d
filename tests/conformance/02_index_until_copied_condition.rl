# What says whether a point exists has a value at every point, also where it is a tensor of its own.
# args: --disable-pass=simplify
# expect: m[c=0, s=0] = 0
# expect: m[c=0, s=1] = 1
# expect: m[c=0, s=2] = 2
# expect: m[c=0, s=3] = 3
# expect: m[c=0, s=4] = 4
# expect: m[c=1, s=0] = 0
# expect: m[c=1, s=1] = 2
# expect: m[c=1, s=2] = 4
# expect: m[c=1, s=3] = 6
# expect: m[c=2, s=0] = 0
# expect: m[c=2, s=1] = 1
# expect: m[c=2, s=2] = 2
# expect: m[c=2, s=3] = 3
# expect: m[c=2, s=4] = 4

index c in 0..3
index s in 0..4 until done
n         = sum(m for s) + 0.5
m[c, s+1] = m + 1 + c % 2
done      = m >= 4
m[c, 0]   = 0
print m
