# With --json booleans are true and false.
# args: --json
# expect: {"print": "x", "index": {"t": 0}, "value": false}
# expect: {"print": "x", "index": {"t": 1}, "value": true}

index t in 0..2
x[t] = t == 1
print x
