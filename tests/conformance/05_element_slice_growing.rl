# A slice of elements whose length varies.
# expect: s[t=0] = 1
# expect: s[t=1] = 3
# expect: s[t=2] = 7
# expect: s[t=3] = 15

index t in 0..4
data = [1, 2, 4, 8]
s = sum(data[0..t+1])
print s
