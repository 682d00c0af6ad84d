# With --json tensors are nested lists.
# args: --json
# expect: {"print": "x", "index": {"b": 0, "t": 0}, "value": [[0, 0], [1, 2]]}
# expect: {"print": "x", "index": {"b": 0, "t": 1}, "value": [[0, 1], [1, 2]]}

index b in 0..1
index t in 0..2
x[b, t] = [[b, t], [1, 2]]
print x
