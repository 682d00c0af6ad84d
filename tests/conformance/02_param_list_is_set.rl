# A list that is set has the type of its default, whose integers stand for floats.
# args: xs=[3,4] ys=[1,2,3]
# expect: xs = [3.0, 4.0]
# expect: xs ^ -1 = [0.33333334, 0.25]
# expect: ys / 4 = [0.25, 0.5, 0.75]
# expect: grad(sum(xs * ys[0]), xs) = [1.0, 1.0]

param xs: f32[2] = [1.0, 2.0], ys = [0.5]
print xs
print xs ^ -1
print ys / 4
print grad(sum(xs * ys[0]), xs)
