# Conditions that overlap.
# error: E???? 6:1 x t=0

index t in 0..8
x[t] = 1 where t % 2 == 0
x[t] = 2 where t % 3 == 0
