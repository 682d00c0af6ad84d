# A step that changes one element where the others stay: in place or not, at positions that are data, outside of the
# table, or under more conditions.
# expect: table = [20.0, 1.0, 22.0, 23.0, 4.0]
# expect: beyond = [10.0, 1.0, 2.0, 13.0, 4.0]
# expect: pairs = [10.0, 15.0, 20.0, 25.0]
# expect: walk = [0.0, 3.0, 2.0, 3.0, 1.0]
# expect: late = 60.0
# expect: kept[t=0, s=0] = 0.0
# expect: kept[t=0, s=1] = 1.0
# expect: kept[t=1, s=0] = 1.0
# expect: kept[t=1, s=1] = 1.0
# expect: kept[t=2, s=0] = 1.0
# expect: kept[t=2, s=1] = 1.0
# expect: kept[t=3, s=0] = 1.0
# expect: kept[t=3, s=1] = 1.0
# expect: kept[t=4, s=0] = 1.0
# expect: kept[t=4, s=1] = 1.0
# expect: kept[t=5, s=0] = 1.0
# expect: kept[t=5, s=1] = 1.0
# expect: kept[t=6, s=0] = 3.0
# expect: kept[t=6, s=1] = 1.0
# expect: vectors = [6.0, 6.0, 18.0, 24.0, 24.0]
# expect: best = [10.0, 1.0, 9.0, 8.0, 4.0]
# expect: behind = [0.0, 1.0, 0.5, 0.75, 4.0]
# expect: chain = [5.0, 1.0, 1.0, 1.0, 4.0]
index t in 0..6
index s in 0..5
index b in 0..4
index a in 0..3

k[t] = (2 * t * t) % 5
m[t] = (t + k) % 3

table[0, s]   = 1.0 * s
table[t+1, s] = if s == k then table + 10.0 else table
print "table", list(table[6, j] for j in 0..5)

# Positions outside of the table change nothing.
beyond[0, s]   = 1.0 * s
beyond[t+1, s] = if s + 1 == 3 * t - 5 then beyond + 10.0 else beyond
print "beyond", list(beyond[6, j] for j in 0..5)

# Two positions and one more condition, for each of several tables.
pairs[0, b, s, a]   = 1.0 * s + b
pairs[t+1, b, s, a] = if s == (k + b) % 5 and a == m and t < 5 then pairs + 1.0 * t else pairs
print "pairs", list(sum(pairs[6, j, l, 1] for l in 0..5) for j in 0..4)

# Where it changes is what it has become.
walk[0, s]   = 1.0 * s
walk[t+1, s] = if s == i32(walk[t, 0] + walk[t, 4]) % 5 then walk[t, (s + 1) % 5] + 1.0 else walk
print "walk", list(walk[6, j] for j in 0..5)

# Read once more when the next has been made; and all printed.
late[0, s]   = 1.0 * s
late[t+1, s] = if s == k then late + 10.0 else late
change[t, s] = late[t+1, s] - late
print "late", sum(change for t, s)
kept[0, s in 0..2]   = 1.0 * s
kept[t+1, s in 0..2] = if s != k then kept else kept * 2.0 + 1.0
print kept

# Vectors and their elements.
vectors[0, s]   = [1.0, 2.0, 3.0] * s
vectors[t+1, s] = if s == k then vectors + [0.0, 1.0, 2.0] else vectors
print "vectors", list(sum(vectors[6, j]) for j in 0..5)

# The best of all goes into one.
best[0, s]   = 1.0 * s
best[t+1, s] = if s == k then max(best[t, j] for j in 0..5) + 1.0 else best
print "best", list(best[6, j] for j in 0..5)

# Backward in time; and where an earlier element of the same step is asked for.
behind[6, s] = 1.0 * s
behind[t, s] = if k == s then 0.5 * behind[t+1, s] else behind[t+1, s]
print "behind", list(behind[0, j] for j in 0..5)
chain[0, s]   = 1.0 * s
chain[t+1, s] = if s == k then (if s > 0 then chain[t+1, s-1] else 5.0) else chain
print "chain", list(chain[6, j] for j in 0..5)
