# --set NAME=VALUE is the long form of NAME=VALUE.
# args: --set n=7 --set lr=0.25
# expect: n = 7
# expect: lr = 0.25

param n = 2
param lr = 0.5
print n; print lr
