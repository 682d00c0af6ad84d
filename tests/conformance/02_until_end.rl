# end(s) under until varies with the other indices of the condition.
# expect: last[b=0] = 5
# expect: last[b=1] = 6
# expect: last[b=2] = 9
# expect: steps[b=0] = 5
# expect: steps[b=1] = 3
# expect: steps[b=2] = 3

index b in 0..3
index s in 0..10 until done
c[b, 0] = 0
c[b, s+1] = c + b + 1
done = c >= 4
last = c[s: end(s)]
steps = end(s)
print last
print steps
