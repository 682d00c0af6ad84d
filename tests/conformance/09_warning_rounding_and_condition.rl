# All that ends a path is named.
# warning: E0403 7:7 `L` depends on `w` only through
# expect: grad(L, w) = 0.0

w = 2.7
L = floor(w) * (if w > 1.0 then 2.0 else 3.0)
print grad(L, w)
