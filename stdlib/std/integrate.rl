# Integrators of x' = f(x) for one step of length h. x is a float, a vector or a record; f gives the slope of each leaf.

## One step of the classical Runge-Kutta method of order 4 (Kutta, 1901). The result is of x's shape: f32, f32[n] or a record of them; h in the unit of
## time of f.
fn rk4(f, x, h) {
  a = f(x)
  b = f(x + 0.5 * h * a)
  c = f(x + 0.5 * h * b)
  d = f(x + h * c)
  x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
}

## One step of Euler's method. The result is of x's shape: f32, f32[n] or a record of them; h in the unit of time of f.
fn euler(f, x, h) = x + h * f(x)
