# Reading past the end of a range with until is a run-time error where it cannot be shown before.
# fault: c

param goal = 2.0
index s in 0..10 until done
c[0] = 0.0
c[s+1] = c + 1.0
done = c >= goal
x = c[5]
print x
