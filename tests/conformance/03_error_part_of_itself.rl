# A value can't have itself as a part, however often.
# error: E0303 4:1 `m` is a part of itself

m = (m, m)
print m
