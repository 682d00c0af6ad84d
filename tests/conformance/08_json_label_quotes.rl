# With --json labels are escaped and Unicode is kept.
# args: --json
# expect: {"print": "γ", "index": {}, "value": 1}
# expect: {"print": "a \"b\"", "index": {}, "value": 2}

γ = 1
print γ
print "a \"b\"", 2
