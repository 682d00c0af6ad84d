# A condition on an index that the left side does not name.
# error: E0304 5:18 `where` mentions `t`, which the left side does not name
index t in 0..3
q[t] = 2.0 where t > 0
q[0] = 1.0 where t < 1
print q
