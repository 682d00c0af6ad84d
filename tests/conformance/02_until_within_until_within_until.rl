# Each of three indices ends for each point of the ones before.
# expect: sum(1.0 for s,h,g) = 8.0
index s in 0..3 until d1
index h in 0..3 until d2
index g in 0..3 until d3
d1[s] = s == 1
d2[s,h] = h == 1
d3[s,h,g] = g == 1
print sum(1.0 for s,h,g)
