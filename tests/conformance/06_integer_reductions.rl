# Reductions of integers are integers, mean excepted; they wrap.
# expect: sum = 10
# expect: prod = 24
# expect: max = 4
# expect: mean = 2.5
# expect: wrap = -2147483648

index t in 0..4
x = t + 1
print "sum", sum(x for t)
print "prod", prod(x for t)
print "max", max(x for t)
print "mean", mean(x for t)
print "wrap", sum(1073741824 * x for t)
