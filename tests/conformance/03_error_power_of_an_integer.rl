# error: E0201 4:7 negative power 10.0 ^ -3
# error: E0201 7:7 negative power f32(x) ^ -1

print 10^-3
index t in 0..3
k[t] = 2 * t
print k^(-1)
print 10.0^-3
