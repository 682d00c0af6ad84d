# A condition that gets ahead of what it decides on.
# error: E0303 7:8 needs `y[1]` at s = 0, before it is known whether `s` goes on

index s in 0..10 until done
x[0] = 1.0; x[s+1] = 2.0 * x
y[s] = x[s+1] + 1.0
z[s] = if s < 9 then y[s+1] else 0.0
done[s] = z > 40.0
print sum(x for s)
