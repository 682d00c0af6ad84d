# i32 in lo..hi states the range of a parameter.
# expect: y[t=0] = 3.5
# expect: y[t=1] = 2.5
# expect: y[t=2] = 1.5

fn pick(x: f32[3], j: i32 in 0..3) -> f32 = x[j]
index t in 0..3
y = pick([1.5, 2.5, 3.5], 2 - t)
print y
