# A condition may read the first point and what an equation defines at s + 1, and points further on where they are not past the end.
# expect: sum = 127.0
# expect: end = 7

index s in 0..10 until done
x[0] = 1.0; x[s+1] = 2.0 * x
y[s] = if s >= 4 then x[s-3] else x[0]
done[s] = x[s+1] + x[0] + y > 80.0
print "sum", sum(x for s)
print "end", end(s)
