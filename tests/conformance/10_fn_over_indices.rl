# A function is applied at each point of its arguments' indices.
# expect: a[i=0, t=0] = 0.0
# expect: a[i=0, t=1] = 1.0
# expect: a[i=1, t=0] = 10.0
# expect: a[i=1, t=1] = 11.0

fn f(x: f32, y: f32) -> f32 = x + 10.0 * y
index i in 0..2
index t in 0..2
a = f(1.0 * t, 1.0 * i)
print a
