# A bool param is set with true and false.
# args: on=true
# expect: x = 1

param on = false
x = if on then 1 else 2
print x
