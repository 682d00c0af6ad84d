# A sum over a range of its own takes what a condition gives past the end, too.
# expect: q = 9.0
# expect: rest = 18.0
index s in 0..7 until done
n[0]   = 0
n[s+1] = n + 1
done   = n >= 2
h[s]   = 1.0 * n[s+1]
q      = sum((if j < end(s) then h[s: j] else 1.0) for j in 0..6)
rest   = sum((if j < end(s) then 0.0 else 1.0 * j) for j in 0..7)
print q
print rest
