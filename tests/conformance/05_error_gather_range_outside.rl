# A gather whose range leaves the domain is an error.
# error: E???? 8:5 x 5

index t in 0..5
index k in 0..3
x = t * t
j = clip(3 * k, 0, 5)
y = x[j]
