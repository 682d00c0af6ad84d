# A stated range lets a read close a cycle, where nothing else is known of the subscript.
# expect: y[t=0] = 1.0
# expect: y[t=1] = 2.0
# expect: y[t=2] = 3.0
# expect: y[t=3] = 4.0
# expect: y[t=4] = 5.0
index t in 0..4
n[t] = i32(1.0 * t)
y[0] = 1.0
fn pick(k: i32 in 0..t + 1) -> f32 = y[t: k] + 1.0
y[t + 1] = pick(n)
print y
