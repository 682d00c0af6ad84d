# A sum over c with a loop of its own (the gradient of a gradient) shares its loop over t with what starts two steps earlier:
# where the sum has no point it has no place either.
# expect: g20[b=1, t=-1] = 0.0
# expect: g20[b=1, t=0] = 0.0
# expect: g20[b=1, t=1] = 0.0
# expect: g20[b=2, t=-1] = 0.0
# expect: g20[b=2, t=0] = 0.0
# expect: g20[b=2, t=1] = 0.0
# expect: g20[b=3, t=-1] = 0.0
# expect: g20[b=3, t=0] = 0.0
# expect: g20[b=3, t=1] = 0.0
# expect: g20[b=4, t=-1] = 0.0
# expect: g20[b=4, t=0] = 0.0
# expect: g20[b=4, t=1] = 0.0
# args: --seed 1

index a in 0..3
index b in 1..5
index c in 0..4
index t in -1..2
y9[b, t] = 0.5
u1[c] ~ Uniform(-1.0, 1.0)
g20 = grad(L19, y9)
y9[5, t] = 0.5
x14 = f32(clip(exp(-abs((if ((n13[1]) // 2) >= 2 then max(y10[-1, 4][0], 0.5) else 0.5))), -1.3, 1.2))
y10[t + 1, b] = f32(tanh([0.5 * (y10[b: t + 3][1] - y9[5, t]), relu(u1[b // 2])]))
x8[b] = 0.5
index s in 0..4 until q12
m11[t, 0] = 0
L17 = (if (tanh(x14) > -0.3217 and 0.5 > 0.6123) then 0.5 * (y15[1, 2 - c]) * 0.5 else 0.5 * 0.5 * 0.5) + 0.5 + 0.5
y10[begin(t), b] = f32(tanh(0.5 * concat([(1.0 * ([y9[b: b + 1, t: 1], x8[b]]))[1..2], (0.9 * (sort([x8, 1.0])))[0..1]])))
z16[a, t + 1] = 0.5
z16[a, -1] = 0.5
n13 = sum(m11 for s) + 0.5
m11[t, s + 1] = m11 + 1 + t % 2
g18 = grad(L17, y10)
y15[a, -1] = f32(tanh(-(x14)))
y15[a, t + 1] = f32(clip(0.3 * (([max(y10[max(-1, min(a - 1, 2)), 2 - t][0], z16), z16[t % 2, t], f64(z16[1, t])]) @ ([-(y15[a: a // 2]), 0.5 * 0.5 * (0.5), 0.5])), -1.3, 1.2))
q12 = m11 >= 2
L19 = min(max(u1[3], z16[a: 2, t: 2]), 0.5 * (tanh(g18[b: 3, c: 1, t: 0][0]) - -0.25)) + mean((z16) ^ 2 for a, t) + mean((sum(y10)) ^ 2 for t, b)
print g20
