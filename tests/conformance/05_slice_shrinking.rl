# A slice that shrinks, down to nothing.
# expect: s[t=0] = 10
# expect: s[t=1] = 9
# expect: s[t=2] = 7
# expect: s[t=3] = 4
# expect: s[t=4] = 0

param T = 4
index t in 0..T
x = t + 1
s[t in 0..=T] = sum(x[t..T])
print s
