# What is computed from the same element one step before may lie in its place; what is read elsewhere, or later, may not be gone by then.
# expect: table = [10.0, 11.0, 12.0, 23.0, 14.0]
# expect: change = 630.0
# expect: ring = [157.0, 146.0, 110.0, 99.0, 128.0]
# expect: parts = [6.0, 7.0, 10.0625, 12.984375, 15.25]
# expect: own = [6.0, 0.1875, -5.625]
# expect: turned = [139.21875, 136.6875, 134.15625]
# expect: grown = [6.0, 9.0, 7.0, 10.0, 8.0]
index t in 0..6
index s in 0..5
index b in 0..3

k[t] = (7 * t + 3) % 5
table[0, s]   = 1.0 * s
table[t+1, s] = if s == k[t] then table[t, s] + 10.0 else table[t, s]
print "table", list(table[6, j] for j in 0..5)

# Read once more a step later.
late[0, s]   = 1.0 * s
late[t+1, s] = 2.0 * late[t, s]
change[t, s] = late[t+1, s] - late[t, s]
print "change", sum(change for t, s)

# Its neighbours' old values are read, too.
ring[0, s]   = 1.0 * s
ring[t+1, s] = ring[t, s] + ring[t, (s + 1) % 5]
print "ring", list(ring[6, j] for j in 0..5)

# One part from its own place, the other from its neighbour's.
parts[0, s]              = 1.0 * s
parts[t+1, s in 0..2]    = parts[t, s] + 1.0
parts[t+1, s in 2..5]    = 0.5 * parts[t, s] + parts[t, s-1]
print "parts", list(parts[6, j] for j in 0..5)

# Elements of a vector: the same ones, and shifted ones.
own[0, b]      = [1.0, 2.0, 3.0] * (b + 1.0)
own[t+1, b]    = 0.5 * own[t, b] + [1.0, 0.0, -1.0]
turned[0, b]   = [1.0, 2.0, 3.0] * (b + 1.0)
turned[t+1, b] = 0.5 * turned[t, b] + [turned[t, b][2], turned[t, b][0], turned[t, b][1]]
print "own", sum(own[6, b] for b)
print "turned", sum(turned[6, b] for b)

# The best of the old values goes into the new ones.
best[t]      = max(grown[t, j] for j in 0..5)
grown[0, s]   = 1.0 * s
grown[t+1, s] = if s == k[t] then best[t] + 1.0 else grown[t, s]
print "grown", list(grown[6, j] for j in 0..5)
