# The declared range of an index that ends on a condition is another one at each point of a second
# index; what runs along the first index alone is the same at all of them.
# expect: end(s)[t=0] = 1
# expect: end(s)[t=1] = 2
# expect: end(s)[t=2] = 2
# expect: sum(n for s)[t=0] = 0
# expect: sum(n for s)[t=1] = 1
# expect: sum(n for s)[t=2] = 1
# expect: y[t=0, s=0] = 0.0
# expect: y[t=1, s=0] = 0.0
# expect: y[t=1, s=1] = 0.125
# expect: y[t=2, s=0] = 0.0
# expect: y[t=2, s=1] = 0.125
# expect: sum(1 for k)[t=0] = 0
# expect: sum(1 for k)[t=1] = 1
# expect: sum(1 for k)[t=2] = 2

fn halved(x: f32) -> f32 { index i in 0..2; z[0] = x; z[i+1] = 0.5 * z; z[2] }

index t in 0..3
index s in 0..t + 1 until done
n[t, 0] = 0
n[t, s + 1] = n + 1
done[t, s] = n >= 1
y[t, s] = halved(0.5 * s)
print end(s)
print sum(n for s)
print y

index k in 0..t until late
late[t, k] = k >= 5
print sum(1 for k)
