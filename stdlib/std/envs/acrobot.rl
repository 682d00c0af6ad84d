# Acrobot-v1 of Gymnasium (Sutton, 1996; the equations of motion of Sutton and Barto's book).
use std.integrate.rk4

## Swing the free end of two links above one link's length by torque -1, 0 or 1 at the joint between them. Angles in radians, 0 hanging down, the
## second relative to the first; spins in radians a second; a step is 0.2 s, one Runge-Kutta step. Observation: f32[6], cosine and sine of both
## angles, both spins. Reward -1 a step, 0 for the one that gets there. Truncated after `limit` steps.
env Acrobot {
  param dt = 0.2, length = 1.0, mass1 = 1.0, mass2 = 1.0, centre1 = 0.5, centre2 = 0.5,
    inertia = 1.0, gravity = 9.8, limit = 500
  state { angle1: f32, angle2: f32, spin1: f32, spin2: f32, steps: i32 }
  action Discrete(3)
  reset { (angle1, angle2, spin1, spin2) ~ Uniform(-0.1, 0.1); steps = 0 }
  step(a) {
    moved   = rk4(slopes,
      { angle1 = angle1, angle2 = angle2, spin1 = spin1, spin2 = spin2, torque = f32(a - 1) }, dt)
    angle1' = wrapped(moved.angle1)
    angle2' = wrapped(moved.angle2)
    spin1'  = clip(moved.spin1, -4.0 * π, 4.0 * π)
    spin2'  = clip(moved.spin2, -9.0 * π, 9.0 * π)
    steps'  = steps + 1
  }
  slopes(s) {
    d1            = mass1 * centre1^2 +
      mass2 * (length^2 + centre2^2 + 2.0 * length * centre2 * cos(s.angle2)) + 2.0 * inertia
    d2            = mass2 * (centre2^2 + length * centre2 * cos(s.angle2)) + inertia
    phi2          = mass2 * centre2 * gravity * cos(s.angle1 + s.angle2 - π / 2.0)
    phi1          = phi2 -
      mass2 * length * centre2 * s.spin2 * (s.spin2 + 2.0 * s.spin1) * sin(s.angle2) +
      (mass1 * centre1 + mass2 * length) * gravity * cos(s.angle1 - π / 2.0)
    acceleration2 = (s.torque + d2 / d1 * phi1 -
      mass2 * length * centre2 * s.spin1^2 * sin(s.angle2) -
      phi2) / (mass2 * centre2^2 + inertia - d2^2 / d1)
    acceleration1 = -(d2 * acceleration2 + phi1) / d1
    { angle1 = s.spin1, angle2 = s.spin2, spin1 = acceleration1, spin2 = acceleration2,
      torque = 0.0 }
  }
  wrapped(angle) = angle - 2.0 * π * ceil((angle - π) / (2.0 * π))
  π            = 3.141592653589793
  observations = Box(low = [-1.0, -1.0, -1.0, -1.0, -4.0 * π, -9.0 * π],
    high = [1.0, 1.0, 1.0, 1.0, 4.0 * π, 9.0 * π])
  observe      = [cos(angle1), sin(angle1), cos(angle2), sin(angle2), spin1, spin2]
  reward       = if terminated then 0.0 else -1.0
  terminated   = -cos(angle1') - cos(angle1' + angle2') > 1.0
  truncated    = steps' >= limit
}
