# Positions that constants alone name are told by their number.
# args: --json
# expect: {"print": "y", "index": {"0": 2, "1": 5}, "value": 1.0}

y[2, 5] = 1.0
print y
