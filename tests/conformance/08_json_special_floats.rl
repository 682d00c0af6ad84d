# With --json NaN and infinities are strings.
# args: --json
# expect: {"print": "x", "index": {}, "value": ["nan", "inf", "-inf"]}

param z = 0.0
print "x", [z / z, 1.0 / z, -1.0 / z]
