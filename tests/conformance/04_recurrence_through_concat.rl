# The shape of the recurrence is known only when its own type is: slices and vectors of what it reads.
# expect: y[t=0] = 0.5
# expect: y[t=1] = 1.5
# expect: y[t=2] = 2.5
# expect: y[t=3] = 3.5
# expect: z[t=0] = 1
# expect: z[t=1] = 8
# expect: z[t=2] = 22
# expect: z[t=3] = 50
index t in 0..4
y[t] = if t == 0 then 0.5 else (1.0 * [y[t - 1], y[t - 1] + 1.0])[1..2][0]
z[t] = if t == 0 then 1.0 else concat([(1.0 * [z[t - 1], 2.0, z[t - 1]])[1..3], (1.0 * [z[t - 1]])[0..1]]) @ [2.0, 1.0, 1.0] + 2.0 * 1.0
print y
print z
