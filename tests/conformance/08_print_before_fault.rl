# What was computed before a fault has been printed when the fault is told.
# expect: y[t=0] = 10
# expect: y[t=1] = 12
# expect: y[t=2] = 16
# expect: y[t=3] = 25
# expect: y[t=4] = 50
# fault: division by zero y t = 5

index t in 0..10
x[0] = 10
x[t+1] = x - 2
y = 100 // x
print y
