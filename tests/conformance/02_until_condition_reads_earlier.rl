# A condition may read a point that is there when it is asked: it is not checked against the end that it decides.
# expect: end(s) = 7
# expect: last = 8.0
# expect: inner[i=0] = 5
# expect: inner[i=1] = 3
index i in 0..2
index s in 0..10 until done
index u in 0..10 until over
x[0]   = 1.0
x[s+1] = x + 1.0
done   = if s >= 4 then x[4] + x > 11.0 else false

y[i, 0]   = 1.0 * i
y[i, u+1] = y + 1.0
over      = if u >= 2 then y[i, 2] + y[i, u] > 5.5 else false
print end(s)
print "last", x[s: end(s)]
print "inner", end(u)
