# A range variable that stands for no index in particular is an error that lists the readings.
# error: E???? 7:9 b t

index b in 0..3
index t in 0..4
x = 10 * b + t
y = sum(x[k] for k in 0..2)
