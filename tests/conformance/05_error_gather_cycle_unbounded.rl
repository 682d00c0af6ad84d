# A subscript without a provable range may not close a cycle.
# error: E???? 7:* x

param scale = 0.5
index t in 0..5
j = i32(scale * t)
x[t] = if t == 0 then 1 else x[j] + 1
