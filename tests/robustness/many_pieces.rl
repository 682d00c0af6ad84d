index a in 0..3
index b in 0..4
index c in 0..3
index t in -2..1
y11[t + 1] = f32(tanh(0.3 * sum(softmax(x7[a: t % 2, b: 0..4, c: t + 2]) * x7[t + 2, 0..4, 2])))
param p1 = 0.5
z12[t + 1] = f32(sin((if (((t) == -1 or (u3) < 1) or q6[0 - t, max(t + 1, 0), 2]) then z12 else max(x8[0..3, t + 1, t]))))
y13[a + 1, t] = f32(tanh(tanh(0.5 * concat([(1.0 * ([y13[a, 0 - a][1], z12[max(t + 1, -2)], y11[t]]))[1..3], (0.9 * ([y13[t // 2][0], p1, x8[a: t + 2, c: 1 - a, t: min(t + 2, 0)]]))[0..1]]))))
L16 = max((if all((u3[max(-2, min(k18, 0))]) == 1 for k18 in 0..2) then 0.1 * b else -0.6), min(tanh(g15), -1.0)) + mean((z12) ^ 2 for t) + mean((sum(y10)) ^ 2 for t)
param p2 = 1.0
y13[0, t] = f32(tanh(0.4 * cumsum(([x8[t % 3, 0, -2 - t], y11[-1], z12[t]]) * ([x9[t % 1 - 2], 1.0, y11]))))
y10[b, t + 1] = f32(tanh(0.4 * cumsum(softmax([y10[b: min(b + 1, 3)][1], 0.1 * b]))))
u3[t] ~ UniformInt(0, 4)
x9[t] = f64(clip(0.5 * (sin(0.5 * (x7[max(0, min(t + 2, 2)), max(t + 1, 0), 2] + x8[max(0, min(t + 2, 2)), max(t, -1), t])) - detach(0.1 * t)), -1.3, 1.2))
y11[-2] = f32(clip(detach(-1.0), -1.3, 1.2))
x8[a, c in -1..4, t] = f32(sin(min(clip(min(0.125, x7[a, t % 3, 0 - t]), -0.71, 0.83), abs(x7[2 - a, clip(c, 0, 3), max(0, min(a - 2, 2))]))))
z12[-2] = f32(clip(0.125, -1.3, 1.2))
x7[a, b, c] = f32(tanh(0.5 * ((if tanh(min(0.1 * b, 0.1 * c)) > -0.3217 then 0.5 * prod(tanh(p2) for t if t % 2 == 0) else max(0.1 * a, 0.3)) + min(min(0.1 * a, -0.25), f32(0.1 * a)))))
g15 = grad(L14, p2)
x19[c, t in -2..2] = f32(0.9 * (log(2.5 + tanh((if c == 0 then 0.5 * (z12[c % 3 - 2]) * (0.75) else p1)))))
L14 = (if ((u3[-1]) > 4 and (u3[-1]) <= 2) then var(y11[min(a, 1)] for a) else clip(y13[0, -1][0], -0.71, 0.83)) + mean((sum(y13)) ^ 2 for a, t) + mean((y11) ^ 2 for t)
g17 = grad(L16, x9)
y10[b, -2] = f32(tanh(0.5 * concat([(1.0 * (softmax([x8[a: 2, c: max(-1, min(b - 1, 3)), t: -1], x9[b % 3 - 2]])))[1..2], (0.9 * ([x8[a: 2, c: max(b - 1, -1), t: b % 3 - 2], x9[min(b - 2, 0)]]))[0..1]])))
q6[a, b, c] = (tanh(a) > 0.1234 and (argmin(a for t)) <= 3)
print L14, L16, sum(y13), g15
