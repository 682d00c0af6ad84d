# Shape variables are usable in the body.
# expect: a = [[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]

fn table(x: f32[n], y: f32[m]) -> f32[n, m] = reshape(x, [n, 1]) * y
a = table([1.0, 2.0], [3.0, 4.0, 5.0])
print a
