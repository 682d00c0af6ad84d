# A draw from a range without numbers is wrong where the range is given, if that is known.
# error: E0211 4:19 empty range 5..5
# error: E0211 5:14 empty range 0..0
j ~ UniformInt(5, 5)
k ~ Discrete(0)
print j, k
