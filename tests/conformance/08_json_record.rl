# With --json records are objects.
# args: --json
# expect: {"print": "p", "index": {}, "value": {"x": 1.5, "v": [2, 3], "q": {"n": 4}}}

record Q { n: i32 }
record P { x: f32, v: i32[2], q: Q }
p = P(x = 1.5, v = [2, 3], q = Q(n = 4))
print p
