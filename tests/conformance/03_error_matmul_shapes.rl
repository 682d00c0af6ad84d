# @ needs agreeing dimensions.
# error: E???? 5:* 2 3

A = [[1.0, 2.0], [3.0, 4.0]]
x = A @ [1.0, 2.0, 3.0]
