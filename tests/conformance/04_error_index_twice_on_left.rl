# Each index stands once on the left.
# error: E???? 5:* t

index t in 0..3
x[t, t] = 1
