# Integers are exact.
# args: --json
# expect: {"print": "a", "index": {}, "value": 4611686018427387905}
# expect: {"print": "b", "index": {}, "value": -2147483647}

print "a", i64(4611686018427387905)
print "b", -2147483647
