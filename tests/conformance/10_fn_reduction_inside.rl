# A function may reduce over ranges of its own.
# expect: a = 15.0

fn power_sum(x: f32, n: int) -> f32 = sum(x ^ k for k in 0..n)
a = power_sum(2.0, 4)
print a
