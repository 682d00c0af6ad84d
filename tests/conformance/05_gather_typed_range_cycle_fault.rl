# A stated range lets a read close a cycle; it is narrower than what there is to read, and tested.
# fault: is out of range in
param late = 2
index t in 0..4
n[t] = i32(1.0 * t) + (if t == late then 1 else 0)
y[0] = 1.0
fn pick(k: i32 in 0..t + 1) -> f32 = y[t: k] + 1.0
y[t + 1] = pick(n)
print y
