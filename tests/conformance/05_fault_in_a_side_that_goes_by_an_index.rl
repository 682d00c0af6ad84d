# A condition on data leaves a side out whose own parts go by an index: nothing is divided there.
# expect: y[t=0, b=0] = 0
# expect: y[t=0, b=1] = 1
# expect: y[t=0, b=2] = 2
# expect: y[t=1, b=0] = 0
# expect: y[t=1, b=1] = 10
# expect: y[t=1, b=2] = 10

index t in 0..2
index b in 0..3
n[t] ~ UniformInt(t, t + 1)
y[t, b] = if n == 0 then b else (if b > 0 then 10 // n else 20 % n)
print y
