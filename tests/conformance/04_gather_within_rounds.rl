# Learning from a model as Dyna-Q does (Sutton, 1991): a round's steps need the action that its beginning chose by values at a
# place that data say, and their own targets at others. A beginning is the end of the round before, so there is an order.
# expect: seen[t: 4, 0..6] = [-1, 1, -1, 2, -1, 2]
# expect: q[t: 4, p: 0, 0..6] = [0.0, 0.625, 0.0, 0.75, 0.0, 0.875]
index t in 0..4
index p in 0..3
index i in 0..6
q[0, 0, i]    = 0.5 * (i % 2)
seen[0, i]    = -1
s[0]          = 0
right[t]      = if q[t, 0, 2*s[t]+1] > q[t, 0, 2*s[t]] then 1 else 0
tried[t]      = 2 * s[t] + right[t]
s[t+1]        = if right[t] == 1 then min(s[t] + 1, 2) else max(s[t] - 1, 0)
seen[t+1, i]  = if i == tried[t] then s[t+1] else seen[t, i]
which[t, p]   = (tried[t] + p) % 6
next[t, p]    = seen[t+1, which[t, p]]
best[t, p]    = if next[t, p] < 0 then 0.0 else max(q[t, p, 2*next[t, p]], q[t, p, 2*next[t, p]+1])
q[t, p+1, i]  = if i == which[t, p] and next[t, p] >= 0 then 0.5 * q[t, p, i] + 0.5 * (if next[t, p] == 2 then 1.0 else 0.9 * best[t, p]) else q[t, p, i]
q[t+1, 0, i]  = q[t, 3, i]
print seen[t: 4, 0..6]
print q[t: 4, p: 0, 0..6]
