# To a gradient a priority is a constant, and so is what is drawn.
# expect: g = 6.0

w    = 2.0 + 0.0 * f32(sum(k for k in 0..1))
tree = SumTree(4).update([0, 1], [w, 3.0 * w])
loss = tree.total() * w - 2.0 * w
print "g", grad(loss, w)
