# A long range that ends on a condition costs what its points cost; past its end nothing is computed.
# expect: c[s=0] = 0.0
# expect: c[s=16] = 16.0
# expect: c[s=32] = 32.0
# expect: c[s=41] = 41.0
# expect: share[s: 40] = 250
# expect: total = 820.0
# expect: steps = 41

param goal = 40.0
index s in 0..1000000 until done
c[0] = 0.0
c[s+1] = c + 1.0
done = c >= goal
share = 10000 // (80 - i32(2.0 * c) + (if s < 41 then 40 else 0))
total = sum(c for s)
steps = end(s)
report "c" = c each 16 s
print share[s: 40]
print total
print steps
