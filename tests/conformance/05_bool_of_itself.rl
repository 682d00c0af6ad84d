# What only bools can stand in is one, though it is defined by itself alone.
# expect: win[n=0] = false
# expect: win[n=1] = true
# expect: win[n=2] = true
# expect: win[n=3] = true
# expect: win[n=4] = false
# expect: win[n=5] = true

index n in 0..6
win[n] = any(not win[n-q] for q in 1..4 if q <= n)
print win
