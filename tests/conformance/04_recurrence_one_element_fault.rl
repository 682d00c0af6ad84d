# A condition that may fault is asked at all positions, also where another one already says that nothing changes there.
# fault: integer division by zero
index t in 0..3
index s in 0..4
d[t, s]   = if s == 3 and t == 1 then 0 else 1 + t
k[t]      = t
Q[0, s]   = 0.0
Q[t+1, s] = if s == k and 10 // d[t, s] > 2 then 1.0 else Q
print Q[3, s]
