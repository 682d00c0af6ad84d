# The right side of `or` and `and` has values only where the left leaves the question open, also where both are known at compile time.
# expect: x[a=0, t=0] = true
# expect: x[a=0, t=1] = true
# expect: x[a=1, t=0] = true
# expect: x[a=1, t=1] = false
# expect: never[a=0, t=0] = false
# expect: never[a=0, t=1] = false
# expect: never[a=1, t=0] = false
# expect: never[a=1, t=1] = false
# expect: part[t=0] = 1
# expect: part[t=1] = 2

index a in 0..2
index t in 0..2
x[a, t]     = t != 1 or a * t % 5 < 1
never[a, t] = t == 5 and a % 5 < 4
part[t]     = if t > 0 and (12 // (t + 0) + t * t) % 13 == 0 then 2 else 1
print x
print never
print part
