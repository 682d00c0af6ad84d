# A condition that divides indices by 0 is a fault, too.
# fault: division by zero

param period = 0
index t in 0..3
x[t] = if (t + 1) % period == 0 then 1 else 2
print x
