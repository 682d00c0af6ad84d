# error: E0215 4:27 `j`: i32 in 0..3, and 3 - t is not always in this range
index t in 0..4
fn pick(x: f32[3], j: i32 in 0..3) -> f32 = x[j]
y = pick([1.5, 2.5, 3.5], 3 - t)
print y
