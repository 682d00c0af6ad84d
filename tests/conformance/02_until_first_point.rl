# With until, the range ends with the first point at which the condition holds.
# expect: total[b=0] = 10
# expect: total[b=1] = 6
# expect: total[b=2] = 9

index b in 0..3
index s in 0..10 until done
c[b, 0] = 0
c[b, s+1] = c + b + 1
done = c >= 4
total = sum(c for s)
print total
