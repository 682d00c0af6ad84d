# A read of a point that where leaves out.
# error: E???? 6:5 x t=1

index t in 0..4
x[t] = 1 where t % 2 == 0
y = x + 1
