# The branches are promoted to one type.
# expect: half = 0.5

param u = 1.0
y = if u > 0.5 then 1 else 2.5
print "half", y / 2
