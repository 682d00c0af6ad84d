# kl of two distributions of a kind.
# expect: categorical = 0.3396169521
# expect: normal = 1.042544361

p = Categorical(logits = [0.0, 1.0, -1.0])
q = Categorical(logits = [0.5, 0.0, 0.0])
a = Normal(1.0, 0.5)
b = Normal(0.0, 2.0)
print "categorical", p.kl(q)
print "normal", a.kl(b)
