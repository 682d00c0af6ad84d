# How gamma draws move with their shape, against the integral over the tail by 200,000 points; and the gradients of expectations of reparameterized
# Gamma and Beta draws: E[x] of Gamma(c, c) is 1, of Beta(c, 3) it is c / (c + 3), and E[log(1 - x)] of it is digamma(3) - digamma(c + 3).
# tolerance: 1e-2
# expect: slopes agree = true
# expect: a draw is a draw = [true, true]
# expect: by the shape = [0.0, 0.12]
# expect: by both = [0.12, -0.08]
# expect: of log(1 - x) = -0.22132
# expect: small shapes = [true, true]
shapes = f32(
  [0.05, 0.05, 0.05, 0.05, 0.3, 0.3, 0.3, 0.3, 1.0, 1.0, 1.0, 1.0, 2.5, 2.5, 2.5, 2.5, 7.9, 7.9,
    7.9, 7.9, 8.1,
    8.1, 8.1, 8.1, 30.0, 30.0, 30.0, 30.0, 100.0, 100.0, 100.0, 100.0, 1000.0, 1000.0, 1000.0,
    1000.0])
draws  = f32(
  [1e-06, 0.2, 0.55, 4.0, 1e-06, 0.2, 0.55, 4.0, 0.00462963, 1.0, 1.58796, 8.0, 0.264482, 2.5,
    3.37683, 10.8759,
    2.75071, 7.9, 9.39033, 19.6879, 2.86487, 8.1, 9.60798, 19.9895, 18.2846, 30.0, 32.8228, 49.6143,
    77.0255,
    100.0, 105.084, 133.1, 923.008, 1000.0, 1015.89, 1097.9])
slopes = f32(
  [0.00026635358, 6.223424, 10.155869, 18.375006, 4.5487769e-05, 1.2120373, 2.0872749, 4.4243439,
    0.026910489,
    1.173563, 1.4695459, 2.7689368, 0.28059965, 1.068673, 1.2376193, 2.0344671, 0.57508421,
    1.021344,
    1.1121403, 1.5569425, 0.58010987, 1.0208115, 1.1104335, 1.549689, 0.77704658, 1.0055737,
    1.0514642,
    1.2795823, 0.87661149, 1.0016683, 1.0267098, 1.1516823, 0.96063621, 1.0001667, 1.0080712,
    1.047601])
print "slopes agree", all(abs(gamma_slope(shapes, draws) / slopes - 1.0) < 1e-5)

index k in 0..20000
param two = 2.0
c    = two + 0.0
b    = two + 1.0
g[k] ~ reparam(Gamma(c, c))
x[k] ~ reparam(Beta(c, 3.0))
y[k] ~ reparam(Beta(c, b))
print "a draw is a draw", [all(g > 0.0 for k), all(x > 0.0 and x < 1.0 for k)]
print "by the shape", [grad(mean(g for k), c), grad(mean(x for k), c)]
print "by both", [grad(mean(y for k), c), grad(mean(y for k), b)]
print "of log(1 - x)", grad(mean(log1p(-x) for k), c)

# Draws that round to 0 have no slope that is not a number.
param tiny = 0.001
d    = tiny + 0.0
h[k] ~ reparam(Gamma(d))
print "small shapes",
  [isfinite(grad(mean(h for k), d)), all(gamma_slope(f32([0.001, 0.5]), f32([0.0, 0.0])) < 1e-30)]
