# With --json a line is an object with print, index and value.
# args: --json
# expect: {"print": "x", "index": {"t": 0}, "value": 0.0}
# expect: {"print": "x", "index": {"t": 1}, "value": 0.5}
# expect: {"print": "x[1]", "index": {}, "value": 0.5}
# expect: {"print": "label", "index": {}, "value": 3}
# expect: {"print": "flag", "index": {}, "value": true}

param T = 2
index t in 0..T
x[t] = 0.5 * t
print x
print x[1]
print "label", 3
print "flag", true
