# A module given as an argument brings its weights, by the parameter's name; lists of modules, too.
# expect: weights = {block: {W: [3.0]}, scale: [10.0]}
# expect: y = [66.0]
# expect: z = [8.0]
# expect: last = [3.0]
# expect: grad = [20.0]

module Times(gain: float) {
  weight W: f32[1] = gain
  apply(x: f32[1]) -> f32[1] = W * x
}
module Scaled(block) {
  weight scale: f32[1] = 10.0
  apply(x: f32[1]) -> f32[1] = scale * (x + block(x)) - scale * 1.4
}
module Chain(layers) {
  apply(x) = through(x, 0)
  through(x, k) = if k == len(layers) then x else through(layers[k](x), k + 1)
}
net = Scaled(Times(3.0))
w = net.init()
print "weights", w
x = [2.0]
print "y", net(w, x)
chain = Chain([Times(1.0), Chain([Times(2.0)]), Times(2.0)])
u = chain.init()
print "z", chain(u, x)
print "last", 1.5 * u.layers[2].W
print "grad", grad(sum(net(w, x)), w.block.W)
