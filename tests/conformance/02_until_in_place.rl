# A value that takes its predecessor's place is needed until the next iteration, so nothing else may lie there meanwhile.
# expect: steps = 111

index s in 0..200 until done
c[0]   = 27
c[s+1] = if c % 2 == 0 then c // 2 else 3 * c + 1
done   = c == 1
print "steps", end(s) - 1
