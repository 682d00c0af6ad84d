# Names that are drawn together share the first one's stream: they are the elements of the vector that would have its name.
# args: --seed 7
# same: --threads 2
# expect: a[t=0] = 0.8628035
# expect: a[t=1] = 0.7974086
# expect: b[t=0] = 0.35556555
# expect: b[t=1] = 0.57822794
# expect: c[t=0] = 0.7900991
# expect: c[t=1] = 0.11222124
# expect: d[t=0] = 0.74194616
# expect: d[t=1] = 0.93163353

index t in 0..2
(a[t], b[t], c[t], d[t]) ~ Uniform(0.0, 1.0)
print a
print b
print c
print d
