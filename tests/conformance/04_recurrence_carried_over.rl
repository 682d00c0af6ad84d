# Weights that each round's updates change in their place and the next round goes on from; the first
# rounds read them before any update, and a slow copy follows them every third round.
# expect: acted[v=0] = [4.0, 5.0, 6.0]
# expect: acted[v=1] = [4.0, 5.0, 6.0]
# expect: acted[v=2] = [4.0, 5.0, 6.0]
# expect: acted[v=3] = [4.0, 5.0, 6.0]
# expect: acted[v=4] = [4.0, 5.0, 6.0]
# expect: acted[v=5] = [12.0, 15.0, 18.0]
# expect: acted[v=6] = [20.0, 25.0, 30.0]
# expect: acted[v=7] = [44.0, 55.0, 66.0]
# expect: acted[v=8] = [68.0, 85.0, 102.0]
# expect: acted[v=9] = [92.0, 115.0, 138.0]

index v in 0..10
index g in 0..2
w[4, 0]            = [4.0, 5.0, 6.0]
w[v in 4..10, g+1] = if g == 0 then w + acted[v-4] else w + slow[v]
w[v+1, 0]          = w[v, 2] where v >= 4
slow[4]            = w[4, 0]
slow[v+1]          = (if (v + 1) % 3 == 0 then w[v+1, 0] else slow) where v >= 4
acted[v]           = w[max(v, 4), 0]
print acted
