# Where nothing is drawn, a mask may hold nowhere.
# expect: 2.0 * sum(lp for t) = -4.158883
index t in 0..10
done[t] = t % 2 == 1
m[t]    = [t % 2 == 0, t % 4 == 0]
lp[t]   = if done then 0.0 else Categorical(logits = [0.0, 0.0], mask = m).log_prob(0)
print 2.0 * sum(lp for t)
