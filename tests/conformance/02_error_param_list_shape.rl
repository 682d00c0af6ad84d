# A list that is set has the declared lengths.
# args: xs=[3,4,5]
# usage: `xs = [3,4,5]` does not fit: the param is f32[2]

param xs: f32[2] = [1.0, 2.0]
print xs
