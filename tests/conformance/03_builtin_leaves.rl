# leaves(x): the tensors of a record, however deep, in order, for what is computed of all of them.
# expect: n = 3
# expect: length = 5.477226
# expect: g[t=0] = 13.0
# expect: g[t=1] = 52.0

record P { w: f32[2], b: f32 }
x = { first = P(w = [1.0, 2.0], b = 3.0), rest = [[4.0, 0.0], [0.0, 0.0]] }
n = len(leaves(x))
print n
print "length", sqrt(squares(x))
fn squares(x) = sum(list(sum(leaves(x)[k] * leaves(x)[k]) for k in 0..len(leaves(x))))
index t in 0..2
y = P(w = [2.0, 3.0], b = 0.0) * (t + 1.0)
g = squares(y)
print g
