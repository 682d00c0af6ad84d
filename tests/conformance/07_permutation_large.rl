# Long permutations, in which words repeat: equal words keep the order of their places.
# expect: sorted = true
# expect: short = 11981
# expect: long = 144858
# expect: longest = 9601098

fn checksum(p, n: int) = sum((p[k] * (k % 7 + 1)) % 97 for k in 0..n)

a ~ Permutation(257)
b ~ Permutation(3000)
c ~ Permutation(200000)
print "sorted", all(sort(b)[k] == k for k in 0..3000)
print "short", checksum(a, 257)
print "long", checksum(b, 3000)
print "longest", checksum(c, 200000)
