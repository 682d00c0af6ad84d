# argmax is i32 and can be used as a subscript.
# expect: y = 5.0

index t in 0..5
x = [3.0, -1.0, 4.0, 1.0, 5.0][t]

best = argmax(x for t)
y = x[best]
print y
