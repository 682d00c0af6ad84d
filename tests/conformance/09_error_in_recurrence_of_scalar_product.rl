# error: E0202 3:48 `@` takes vectors and matrices, not f32[2] and f32
index c in 0..4
y[c] = if c == 0 then 0.5 else f32(clip(0.3 * ([y[c - 1], 0.5] @ 0.5), -1.0, 1.0))
z[c] = y[c] + 1.0
print z
