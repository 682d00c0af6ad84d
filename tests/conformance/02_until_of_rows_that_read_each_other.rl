# Where a row ends, what is computed past that end reads the row before past its end, too: nobody
# asks for it.
# expect: sum(x for t)[i=0] = 3
# expect: sum(x for t)[i=1] = 2
# expect: sum(x for t)[i=2] = 3
# expect: end(t)[i=0] = 3
# expect: end(t)[i=1] = 2
# expect: end(t)[i=2] = 2

index i in 0..3
index t in 0..6 until done
x[i, t] = t + (if i >= 1 then x[i-1, t] else 0)
done = x >= 2
print sum(x for t)
print end(t)
