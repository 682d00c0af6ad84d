# Subscripts and fields combine.
# expect: y[b=0, t=0] = 10
# expect: y[b=0, t=1] = 20
# expect: y[b=1, t=0] = 11
# expect: y[b=1, t=1] = 21
# expect: z[b=0, t=0] = 3.0
# expect: z[b=0, t=1] = 13.0
# expect: z[b=1, t=0] = 4.0
# expect: z[b=1, t=1] = 14.0

record P { a: f32, n: i32 }
index b in 0..2
index t in 0..2
p[b, 0] = P(a = 1.0, n = b)
p[b, t+1] = P(a = p.a + 1.0, n = p.n + 10)
y = p[t+1].n
z = p[t: 2].a + p.n
print y
print z
