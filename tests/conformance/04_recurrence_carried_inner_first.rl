# Two rounds at once in one place: the row that begins later is the inner loop's.
# expect: y0[g=0] = 3
# expect: y0[g=1] = 3
# expect: y0[g=2] = 3

index v in 0..7
index g in 0..3
y0               = w[7, g]
w[v+2, g+1]      = w[v+2, g] where v >= 3 and v <= 5
w[4, g in 0..=3] = g * 5 + 3
w[3, g in 0..=3] = g * -2 + 5
print y0
w[v+2, 0] = w[v+1, 0] where v >= 3 and v <= 5
