# std.envs.CartPole steps as Gymnasium's CartPole-v1.
# expect: o[t=0] = [0.0096, 0.1746791957, 0.0308, -0.243068718]
# expect: o[t=1] = [0.01309358391, 0.3693479761, 0.02593862564, -0.5258796281]
# expect: o[t=2] = [0.02048054344, 0.5640955085, 0.01542103308, -0.81027756]
# expect: o[t=3] = [0.03176245361, 0.7590028207, -0.0007845181208, -1.098070162]
# expect: o[t=4] = [0.04694251002, 0.9541350914, -0.02274592136, -1.390999126]
# expect: o[t=5] = [0.06602521185, 1.149532811, -0.05056590389, -1.690706612]
# expect: o[t=6] = [0.08901586806, 1.345201182, -0.08438003613, -1.998694061]
# expect: o[t=7] = [0.1159198917, 1.541097248, -0.1243539173, -2.316270999]
# expect: o[t=8] = [0.1467418367, 1.73711441, -0.1706793373, -2.644492176]
# expect: o[t=9] = [0.1814841249, 1.93306439, -0.2235691808, -2.984082745]
# expect: o[t=10] = [0.2201454127, 2.128657237, -0.2832508357, -3.335353389]
# expect: o[t=11] = [0.2627185574, 2.32348089, -0.3499579035, -3.698110515]
# expect: terminated[t=0] = false
# expect: terminated[t=1] = false
# expect: terminated[t=2] = false
# expect: terminated[t=3] = false
# expect: terminated[t=4] = false
# expect: terminated[t=5] = false
# expect: terminated[t=6] = false
# expect: terminated[t=7] = false
# expect: terminated[t=8] = false
# expect: terminated[t=9] = true
# expect: terminated[t=10] = true
# expect: terminated[t=11] = true
# expect: return = 12.0

use std.envs.CartPole
index t in 0..12
s[0] = CartPole.State(x = 0.01, v = -0.02, angle = 0.03, spin = 0.04, steps = 0)
(s[t+1], r, terminated, truncated) = CartPole.step(s, 1)
o[t] = CartPole.observe(s[t+1])
print o
print terminated
print "return", sum(r for t)
