# reshape must keep the number of elements.
# error: E???? 4:* 3 4

a = reshape([1, 2, 3], [2, 2])
