# A gather whose range reaches the point itself closes a cycle.
# error: E???? 6:1 x

index t in 0..5
u = [0, 0, 1, 2, 3]
x[t] = if t == 0 then 1 else x[clip(u[t], 0, 4)] + 1
