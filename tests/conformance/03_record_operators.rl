# Operators apply leaf by leaf to records.
# expect: sx = 11.0
# expect: sv = [22.0, 33.0]
# expect: dx = 19.0
# expect: dv = [38.0, 57.0]
# expect: nx = -1.0
# expect: nv = [-2.0, -3.0]

record P { x: f32, v: f32[2] }
p = P(x = 1.0, v = [2.0, 3.0])
q = P(x = 10.0, v = [20.0, 30.0])
s = p + q
d = 2.0 * q - p
n = -p
print "sx", s.x; print "sv", s.v
print "dx", d.x; print "dv", d.v
print "nx", n.x; print "nv", n.v
