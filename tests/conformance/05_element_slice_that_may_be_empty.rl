# A slice of elements that has none at some points.
# expect: m[0..t][t=0] = []
# expect: m[0..t][t=1] = [1]
# expect: m[0..t][t=2] = [1, 2]

m = [1, 2, 3]
index t in 0..3
print m[0..t]
