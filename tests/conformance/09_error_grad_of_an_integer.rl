# error: E???? 5:7 `grad` differentiates a float scalar, not i32

param n = 3
k = n * n
print grad(k, n)
