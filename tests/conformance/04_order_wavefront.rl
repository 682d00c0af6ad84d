# So many equations in a skewed order that isl would search long for one: a weighted sum of the indices is found at once.
# expect: weighted = 157.1945205882783
index i in 0..6
index j in 0..6
x0[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x1[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x2[i+1, j-2] else 0.0)
x1[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x2[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x5[i+1, j-2] else 0.0)
x2[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x3[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x8[i+1, j-2] else 0.0)
x3[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x4[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x11[i+1, j-2] else 0.0)
x4[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x5[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x0[i+1, j-2] else 0.0)
x5[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x6[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x3[i+1, j-2] else 0.0)
x6[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x7[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x6[i+1, j-2] else 0.0)
x7[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x8[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x9[i+1, j-2] else 0.0)
x8[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x9[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x12[i+1, j-2] else 0.0)
x9[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x10[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x1[i+1, j-2] else 0.0)
x10[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x11[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x4[i+1, j-2] else 0.0)
x11[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x12[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x7[i+1, j-2] else 0.0)
x12[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x13[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x10[i+1, j-2] else 0.0)
x13[i, j] = 1.0 + (if i > 0 and j < 5 then 0.3 * x0[i-1, j+1] else 0.0) + (if i < 5 and j > 1 then 0.2 * x13[i+1, j-2] else 0.0)
print "weighted", 1.0 * x0[0, 0] + 2.0 * x1[1, 2] + 3.0 * x2[2, 4] + 4.0 * x3[3, 0] + 5.0 * x4[4, 2] + 6.0 * x5[5, 4] + 7.0 * x6[0, 0] + 8.0 * x7[1, 2] + 9.0 * x8[2, 4] + 10.0 * x9[3, 0] + 11.0 * x10[4, 2] + 12.0 * x11[5, 4] + 13.0 * x12[0, 0] + 14.0 * x13[1, 2]
