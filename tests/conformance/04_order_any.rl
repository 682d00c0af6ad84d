# A skewed order with weights that are too large to be tried, and which isl searches long for: any valid order will do.
# expect: weighted = 11.91485778656222
index i in 0..4
index j in 0..160
x0[i, j] = 1.0 + (if i > 0 and j < 90 then 0.3 * x1[i-1, j+70] else 0.0) + (if i < 3 and j >= 80 then 0.2 * x2[i+1, j-80] else 0.0)
x1[i, j] = 1.0 + (if i > 0 and j < 90 then 0.3 * x2[i-1, j+70] else 0.0) + (if i < 3 and j >= 80 then 0.2 * x1[i+1, j-80] else 0.0)
x2[i, j] = 1.0 + (if i > 0 and j < 90 then 0.3 * x3[i-1, j+70] else 0.0) + (if i < 3 and j >= 80 then 0.2 * x0[i+1, j-80] else 0.0)
x3[i, j] = 1.0 + (if i > 0 and j < 90 then 0.3 * x0[i-1, j+70] else 0.0) + (if i < 3 and j >= 80 then 0.2 * x3[i+1, j-80] else 0.0)
print "weighted", 1.0 * x0[0, 0] + 2.0 * x1[1, 37] + 3.0 * x2[2, 74] + 4.0 * x3[3, 111]
