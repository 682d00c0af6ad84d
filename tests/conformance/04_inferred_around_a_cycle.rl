# Types of tensors that define each other come from the equations that know them, in any order: a list is not taken for a number.
index c in 0..2
u = [0.0, 0.5]

z[0]     = 1.0
y[c + 1] = y + z
z[c + 1] = dot(u, 0.5 * [u[1], y])
y[0]     = 2.0

# expect: y[c=0] = 2.0
# expect: y[c=1] = 3.0
# expect: y[c=2] = 3.5
# expect: z[c=0] = 1.0
# expect: z[c=1] = 0.5
# expect: z[c=2] = 0.75
print y
print z
