# What an equation computes matters where something reads it: here no point that divides by zero is
# read, so that there is no fault.
# expect: y[0] = 1
# expect: few[t=0] = 2
# expect: few[t=1] = 2
# expect: q[1] = 2

param z = 0
index t in 0..4
y[0] = 1
y[1] = 1 // z
print y[0]
x[t] = if t < 2 then 1 else 1 // z
few[t in 0..2] = x + 1
print few
p[t] = 1 where t < 3
p[t] = 1 // z where t == 3
q[t] = p[t] + 1
print q[1]
