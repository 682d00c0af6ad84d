# What a function over an index gets is a tensor over it: a reduction over the index takes its value at each point, as one over a range does, in functions that it calls and in modules, too.
# expect: total[k=0] = 6.0
# expect: total[k=1] = 6.0
# expect: total[k=2] = 6.0
# expect: total[k=3] = 6.0
# expect: total[k=0, t=0] = 6.0
# expect: total[k=0, t=1] = 46.0
# expect: total[k=1, t=0] = 6.0
# expect: total[k=1, t=1] = 46.0
# expect: total[k=2, t=0] = 6.0
# expect: total[k=2, t=1] = 46.0
# expect: total[k=3, t=0] = 6.0
# expect: total[k=3, t=1] = 46.0
# expect: normalized[k=0] = -1.3416407
# expect: normalized[k=1] = -0.4472136
# expect: normalized[k=2] = 0.4472136
# expect: normalized[k=3] = 1.3416407
# expect: twice[k=0, t=0] = 24.0
# expect: twice[k=0, t=1] = 184.0
# expect: twice[k=1, t=0] = 24.0
# expect: twice[k=1, t=1] = 184.0
# expect: twice[k=2, t=0] = 24.0
# expect: twice[k=2, t=1] = 184.0
# expect: twice[k=3, t=0] = 24.0
# expect: twice[k=3, t=1] = 184.0
# expect: largest[k=0] = 2
# expect: largest[k=1] = 2
# expect: largest[k=2] = 2
# expect: largest[k=3] = 2
# expect: centered[k=0] = -4.5
# expect: centered[k=1] = -1.5
# expect: centered[k=2] = 1.5
# expect: centered[k=3] = 4.5
# expect: gradient[k=0, t=0] = 0.0
# expect: gradient[k=0, t=1] = 80.0
# expect: gradient[k=1, t=0] = 8.0
# expect: gradient[k=1, t=1] = 88.0
# expect: gradient[k=2, t=0] = 16.0
# expect: gradient[k=2, t=1] = 96.0
# expect: gradient[k=3, t=0] = 24.0
# expect: gradient[k=3, t=1] = 104.0
fn total(x) over k = sum(x for k)
fn normalized(x) over k {
  m = mean(x for k)
  (x - m) / sqrt(mean((x - m)^2 for k))
}
fn twice(x) over k = total(2.0 * x) + sum(x[k] for k) + sum(x[j] for j in begin(k)..end(k))
fn largest(x: f32, taken: bool) over k = argmax(if taken then x else -inf for k)
module Centered() {
  weight scale: f32 = 3.0
  apply(x: f32) over k = scale * (x - mean(x for k))
}

index k in 0..4
index t in 0..2
x[k]    = 1.0 * k
z[k, t] = x[k] + 10.0 * t
net     = Centered()
w       = net.init()

print "total", total(x), total(z)
print "normalized", normalized(x)
print "twice", twice(z)
print "largest", largest(x, x < 2.5)
print "centered", net(w, x)
print "gradient", grad(sum(total(z * z) for k, t), z)
