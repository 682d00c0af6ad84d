# Where the condition depends on what is defined, the type comes from the branches.
# expect: x[t=0] = 0.0
# expect: x[t=1] = 0.0
# expect: x[t=2] = 2.0
# expect: x[t=3] = 2.0

index t in 0..3
z      = 2.0 * t
x[t+1] = 1.0 * (if done then 0.0 else z) + x
done   = x > 1.0
x[0]   = 0.0
print x
