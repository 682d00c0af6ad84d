# Used by 02_use_relative.rl.
record Square { width: f32 }
fn area(w: f32, h: f32) -> f32 = w * h
fn side(a: f32) -> f32 = sqrt(a)
