# What an update of a sum tree takes may lie side by side where it was computed, or not: positions that are computed, drawn, drawn in rows, or drawn and turned around.
# expect: p[n=0] = 2584.016
# expect: p[n=1] = 2554.1519
# expect: p[n=2] = 2530.1904
# expect: total = 14373.36
# expect: total = 14062.752
# expect: place[n=0] = 10239133
# expect: place[n=1] = 10166074
# expect: place[n=2] = 10205196
# expect: at = 0.9905759
# expect: at = 1.9343063

param entries = 2048
param rows    = 4
index n in 0..3
index k in 0..entries
index g in 0..rows
index h in 0..entries//rows

tree[0]         = SumTree(10000).update(arange(10000), ones(10000))
p[n, k]         ~ Uniform(0.5, 2.0)
place[n, k]     ~ tree.stratum(k, entries)
by[n, g, h]     ~ tree.sample()
weight[n, g, h] = 0.1 + f32((g + h + n) % 7)
back[n, k]      = place[k: entries-1-k]
tree[n+1]       = tree.update((arange(entries) * 3 + n) % 10000,
  p[k: 0..entries]).update(place[k: 0..entries], p[k: 0..entries]).update(
    flatten(by[0..rows, 0..entries//rows]), flatten(weight[0..rows, 0..entries//rows])).update(
      back[k: 0..entries], p[k: 0..entries])

print "p", sum(p for k)
print "total", tree[3].total(), tree[1].total()
print "place", sum(place for k)
print "at", tree[3].priority(3), tree[3].priority(9999)
