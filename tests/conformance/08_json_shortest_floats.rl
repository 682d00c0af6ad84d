# Floats have the fewest digits that read back as the same value, of their own type.
# args: --json
# tolerance: 1e-17
# expect: {"print": "a", "index": {}, "value": 0.1}
# expect: {"print": "b", "index": {}, "value": 16777216.0}
# expect: {"print": "c", "index": {}, "value": 0.33333334}
# expect: {"print": "d", "index": {}, "value": 0.3333333333333333}
# expect: {"print": "f", "index": {}, "value": 1e-10}

print "a", 0.1
print "b", 16777216.0
print "c", 1.0 / 3.0
print "d", f64(1.0) / 3.0
print "f", 1e-10
