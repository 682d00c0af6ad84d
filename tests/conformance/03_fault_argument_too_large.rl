# A literal takes the type of what it is given for, if it fits.
# fault: .rl:5:9: error[E0702]

fn f(x: i32) = x
print f(3000000000)
