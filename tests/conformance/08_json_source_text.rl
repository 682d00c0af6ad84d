# With --json the label of an expression is its source text.
# args: --json
# expect: {"print": "x + 1", "index": {"t": 0}, "value": 1}
# expect: {"print": "x + 1", "index": {"t": 1}, "value": 2}
# expect: {"print": "sum(x for t)", "index": {}, "value": 1}

index t in 0..2
x[t] = t
print x + 1
print sum(x for t)
