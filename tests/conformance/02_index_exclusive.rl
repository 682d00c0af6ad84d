# lo..hi excludes hi.
# expect: x[t=2] = 2
# expect: x[t=3] = 3
# expect: x[t=4] = 4

index t in 2..5
x[t] = t
print x
