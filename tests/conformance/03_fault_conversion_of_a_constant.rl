# What does not fit is a fault where it is written, known or not.
# fault: .rl:4:11: error[E0702]

print 1 + u8(300)
