# A branch that no point takes stays out also when the passes that fold it away are off.
# args: --disable-pass=fold-constants --disable-pass=simplify --disable-pass=simplify-reductions
# expect: x[0] = 1.0
# expect: after = true
index t in 0..2
u ~ Uniform(0.0, 1.0)
x = 1.0 * (if t > 0 then u else (if t % 2 == 0 then 1.0 else u))
print x[0]
print "after", x[1] == u
