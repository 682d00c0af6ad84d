# Ten networks of a tensor's index, whose common goal is the least of what they say: samples are lanes, not the networks, whose steps leave lanes to elements.
# tolerance: 1e-4
# expect: mean(loss for m)[i=0, g=0] = 2.492233
# expect: mean(loss for m)[i=0, g=1] = 2.9779136
# expect: mean(loss for m)[i=1, g=0] = 3.356842
# expect: mean(loss for m)[i=1, g=1] = 2.5152402
# expect: mean(loss for m)[i=2, g=0] = 3.20714
# expect: mean(loss for m)[i=2, g=1] = 2.6916072
# expect: mean(loss[i: 2, g: 1] for m) = 2.6916072
# expect: max(loss[i: 2, g: 1] for m) = 3.5035748
use std.nn.{Mlp, scalar}
use std.optim.Adam

index i in 0..3
index g in 0..2
index m in 0..10
index k in 0..33
critic         = Mlp(4, [20, 20], 1, relu)
x[i, g, k]     ~ Normal(zeros([3]), ones([3]))
u[i, g, k]     ~ Normal([0.0], [1.0])
v[i, g, m, k]  = scalar(critic(detach(q), concat(x, 2.0 * u)))
goal[i, g, k]  = sum(x) + 0.5 * min(v for m)
loss[i, g, m]  = mean((scalar(critic(q, concat(x, tanh(u)))) - goal)^2 for k)
q[0, 0, m]     ~ critic.init()
opt[0, 0, m]   = Adam.init(q[0, 0, m])
(q[i, g+1, m], opt[i, g+1, m]) = Adam.step(q, opt, grad(loss, q), 0.01)
q[i+1, 0, m]   = q[i, 2, m]
opt[i+1, 0, m] = opt[i, 2, m]

print mean(loss for m)
print mean(loss[i: 2, g: 1] for m), max(loss[i: 2, g: 1] for m)
