# A function with a recurrence can be called twice.
# expect: a[t=0] = 0.0
# expect: a[t=1] = 0.0
# expect: a[t=2] = 1.0
# expect: b[t=0] = 0.0
# expect: b[t=1] = 0.0
# expect: b[t=2] = 10.0

fn total(x: f32) over t -> f32 {
  s[begin(t)] = 0.0
  s[t+1] = s + x
  s
}
index t in 0..3
a = total(1.0 * t)
b = total(10.0 * t)
print a; print b
