# A condition that is a tensor selects element by element.
# expect: y = [1.0, 20.0, 3.0]
# expect: z = [1, 0, 1]

x = [1.0, -2.0, 3.0]
y = if x > 0.0 then x else [10.0, 20.0, 30.0]
z = if x > 0.0 then 1 else 0
print y; print z
