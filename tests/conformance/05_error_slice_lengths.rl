# Slices whose lengths do not agree are no operands.
# error: E???? 6:* t

index t in 0..5
x = t * t
y = sum(x[0..t+1] * x[0..2])
