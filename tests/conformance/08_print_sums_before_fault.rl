# A sum over an index is whole before the next iteration faults.
# expect: s[i=0] = 15
# expect: s[i=1] = 20
# expect: s[i=2] = 31
# fault: division by zero z i = 3

index i in 0..6
index b in 0..8
w[0] = 3
w[i+1] = w - 1
z = 12 // (w + b)
s = sum(z for b)
print s
