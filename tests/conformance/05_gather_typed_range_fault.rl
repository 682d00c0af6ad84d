# fault: is out of range in `y`
index t in 0..4
x[t] = 0.5 * t + 0.5
n[t] = t * t
fn pick(k: i32 in 0..4) -> f32 = x[t: k]
y[t] = pick(n)
print y
