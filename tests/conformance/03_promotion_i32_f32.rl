# i32 and f32 give f32.
# expect: x = 3.5

x = 3 + 0.5
print x
