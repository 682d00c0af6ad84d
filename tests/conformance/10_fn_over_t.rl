# over t: the arguments may be read at other points of t.
# expect: d[b=0, t=0] = 1.0
# expect: d[b=0, t=1] = 3.0
# expect: d[b=0, t=2] = 5.0
# expect: d[b=1, t=0] = 1.0
# expect: d[b=1, t=1] = 3.0
# expect: d[b=1, t=2] = 5.0

fn change(x: f32) over t -> f32 = x[t+1] - x
index b in 0..2
index t in 0..3
x[b, t in 0..=3] = t * t + 10.0 * b
d = change(x)
print d
