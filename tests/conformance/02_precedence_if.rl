# if then else binds less tightly than or, and its else takes all that follows.
# expect: a = 1
# expect: b = 12
# expect: c = 11
# expect: d = 2

a = if false or true then 1 else 2 + 10
b = if false then 1 else 2 + 10
c = (if true then 1 else 2) + 10
d = if false then 1 else if true then 2 else 3
print a; print b; print c; print d
