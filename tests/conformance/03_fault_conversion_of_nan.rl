# fault: .rl:3:7: error[E0702]

print i32(0.0 / 0.0)
