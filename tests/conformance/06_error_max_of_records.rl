# Records have no order.
# error: E???? 5:*

record P { a: f32 }
y = max(P(a = 1.0) for k in 0..3)
