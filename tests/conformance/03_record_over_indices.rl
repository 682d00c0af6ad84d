# A record varies over indices as anything does.
# expect: y[t=0] = 1.0
# expect: y[t=1] = 3.0
# expect: y[t=2] = 6.0
# expect: z = 8.0

record P { x: f32, n: i32 }
index t in 0..3
p[0] = P(x = 1.0, n = 0)
p[t+1] = P(x = 2.0 * p.x, n = p.n + 1)
y = p.x + p.n
print y
z = p[3].x
print z
