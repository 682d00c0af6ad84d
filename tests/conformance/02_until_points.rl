# x[s+1] = ... under until defines x up to x[end(s)], with end(s) = s* + 1.
# expect: c[b=0, s=0] = 0
# expect: c[b=0, s=1] = 1
# expect: c[b=0, s=2] = 2
# expect: c[b=0, s=3] = 3
# expect: c[b=0, s=4] = 4
# expect: c[b=0, s=5] = 5
# expect: c[b=1, s=0] = 0
# expect: c[b=1, s=1] = 2
# expect: c[b=1, s=2] = 4
# expect: c[b=1, s=3] = 6

index b in 0..2
index s in 0..10 until done
c[b, 0] = 0
c[b, s+1] = c + b + 1
done = c >= 4
print c
