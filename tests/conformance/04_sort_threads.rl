# Threads that sort at once have keys of their own.
# args: --threads 3
# same: --threads 1
# expect: sum(q[b][0] * (b % 7) for b) = 60335
# expect: s[7] = 0.52455574

param n = 20011
index b in 0..n
r[b] = [sin(f32(b)), cos(f32(b * 3)), sin(f32(b * b))]
q[b] = argsort(r[b])
s[b] = sum(sin(f32(k) * q[b][0]) for k in 0..80)  # enough work for threads
print sum(q[b][0] * (b % 7) for b)
print s[7]
