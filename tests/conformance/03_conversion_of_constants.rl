# A conversion of what is known leaves the fraction out, as one of data does: where it is compared, and as a bound.
# expect: i32(0.5) == 0 = true
# expect: f32(i32(2.7)) = 2.0
# expect: i32(2.7) == 2 = true
# expect: bool(0.5) = true
# expect: sum(1 for t) = 3

print i32(0.5) == 0
print f32(i32(2.7))
print i32(2.7) == 2
print bool(0.5)
index t in 0..i32(3.5)
print sum(1 for t)
