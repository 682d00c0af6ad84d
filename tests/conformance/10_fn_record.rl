# A function may take and give records.
# expect: x = 0.75
# expect: v = -1.0

record P { x: f32, v: f32 }
fn move(p: P, dt: f32) -> P = P(x = p.x + dt * p.v, v = p.v - dt * p.x)
index t in 0..2
p[0] = P(x = 1.0, v = 0.0)
p[t+1] = move(p, 0.5)
print "x", p[2].x
print "v", p[2].v
