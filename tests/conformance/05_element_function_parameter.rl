# A plain parameter of a fn has no first bracket.
# expect: y[t=0] = 0
# expect: y[t=1] = 11
# expect: y[t=2] = 22

fn ends(x: i32[n]) -> i32 = x[0] + x[n - 1]
index t in 0..3
v = [t, 5, 10 * t]
y = ends(v)
print y
