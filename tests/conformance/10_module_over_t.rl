# A module's method may run over an index: its argument may be read at other points, also inside of another such method, and by another name.
# expect: y[b=0, t=0] = 0.0
# expect: y[b=0, t=1] = 2.0
# expect: y[b=0, t=2] = 6.0
# expect: y[b=1, t=0] = 20.0
# expect: y[b=1, t=1] = 42.0
# expect: y[b=1, t=2] = 66.0
# expect: z[s=0] = 1.0
# expect: z[s=1] = 4.0
# expect: z[s=2] = 10.0
# expect: g[s=0] = 4.0
# expect: g[s=1] = 3.0
# expect: g[s=2] = 1.0

module Total(gain = 2.0) {
  weight W: f32[1] = gain
  apply(x: f32) over t -> f32 {
    scaled[t] = W[0] * x
    sum(scaled[k] for k in begin(t)..t + 1)
  }
}
module Deep() {
  inner = Total(0.5)
  step(x: f32) over t -> f32 = inner(2.0 * x) + (if t == begin(t) then 0.0 else x[t-1])
}
index b in 0..2
index t in 0..3
index s in 0..3
x[b, t] = t + 10.0 * b
net = Total()
w = net.init()
y = net(w, x)
print y
deep = Deep()
u[s] = s * s + 1.0
z = deep.step(deep.init(), u, t = s)
print z
print "g", grad(sum(deep.step(deep.init(), u, t = s) for s), u)
