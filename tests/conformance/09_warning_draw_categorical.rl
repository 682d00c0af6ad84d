# An environment driven by drawn actions: rewards depend on the weights only through them.
# warning: E0403 13:7 `L` depends on `w` only through a draw
# expect: grad(L, w) = 0.0

index t in 0..4
w = 0.5
p[t] = sigmoid(w * s)
a[t] ~ Categorical(logits = [0.0, p])
s[0] = 0.0
s[t+1] = s + (if a == 1 then 1.0 else -1.0)
L = sum(s[k] for k in 0..=4)

print grad(L, w)
