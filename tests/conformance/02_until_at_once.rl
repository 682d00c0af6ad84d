# The condition may hold at the first point, which belongs to the range.
# expect: total = 7

index s in 0..4 until done
c[s] = s + 7
done = c >= 7
total = sum(c for s)
print total
