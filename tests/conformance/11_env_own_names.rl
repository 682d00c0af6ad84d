# An env's own functions and equations come before what every env has.
# expect: own = [17, 5]
# expect: choices = 3
env Own {
  state { x: i32 }
  action Discrete(3)
  choices = 17
  renew(y) = y + 1
  reset { x = 0 }
  step(a) { x' = x + a }
  observe = x
  reward  = 0.0
}
env Plain {
  state { x: i32 }
  action Discrete(3)
  reset { x = 0 }
  step(a) { x' = x + a }
  observe = x
  reward  = 0.0
}
print "own", [Own.choices, Own.renew(4)]
print "choices", Plain.choices
