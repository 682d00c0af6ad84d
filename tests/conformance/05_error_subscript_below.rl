# Below the domain, too.
# error: E???? 6:5 x t

index t in 0..5
x = t * t
y = x[t-2]
