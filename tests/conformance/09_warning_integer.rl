# Nothing is learned through an integer.
# warning: E0403 7:7 `L` depends on `θ` only through an integer
# expect: grad(L, θ) = 0.0

θ = 2.5
L = f32(i32(θ)) * 2.0
print grad(L, θ)
