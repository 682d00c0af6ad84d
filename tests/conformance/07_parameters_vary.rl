# The parameters of a distribution may vary with the index.
# tolerance: 0.06
# expect: even = 0.9
# expect: odd = 0.1

index t in 0..2000
p = if t % 2 == 0 then 0.9 else 0.1
x ~ Bernoulli(p)
print "even", mean(f32(x) for t if t % 2 == 0)
print "odd", mean(f32(x) for t if t % 2 == 1)
