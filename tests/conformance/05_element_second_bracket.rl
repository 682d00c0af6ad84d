# Element access comes in a second bracket.
# expect: y[t=0] = [12, 13]
# expect: y[t=1] = [22, 23]
# expect: y[t=2] = [32, 33]
# expect: z = [24, 25, 26]

index t in 0..3
x[0] = [[1, 2, 3], [4, 5, 6]]
x[t+1] = x + 10
y = x[t+1][0, 1..3]
z = x[2][1]
print y
print z
