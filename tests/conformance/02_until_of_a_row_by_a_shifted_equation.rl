# As a read by the name of the left side's point, so one by a name a point earlier: `w[v+1, g+1]`
# reads another row past its end.
# fault: past end(g)

index v in 0..3
index g in 0..4 until y > 0
w[0, g in 0..=4] = g * 2 + 7
w[v+1, 0]        = 3
w[v+1, g+1]      = w[v+1, g] + w[v, g+1]
y[v]             = w[v, 4]
print y[2]
