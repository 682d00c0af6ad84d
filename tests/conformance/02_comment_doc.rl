# ## documents the item that follows and changes nothing.
# expect: x = 6

## The number of steps.
param n = 3
## Twice that.
x = 2 * n
print x
