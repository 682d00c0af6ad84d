# Where the condition never holds the range is lo..hi.
# expect: total = 6
# expect: end = 4

index s in 0..4 until done
c[0] = 0
c[s+1] = c + 1
done = c > 100
total = sum(c for s)
print total
print "end", end(s)
