# Pendulum-v1 of Gymnasium.

## Swing a pendulum up and hold it by a torque f32[1], clipped to [-2, 2]. The angle is 0 upright, in radians; the spin at most 8 radians a second;
## a step is 0.05 s of semi-implicit Euler. Observation: f32[3], cosine and sine of the angle, the spin. Reward -(angle^2 + 0.1 spin^2 + 0.001
## torque^2) with the angle in [-π, π). Never terminated; truncated after `limit` steps.
env Pendulum {
  param gravity = 10.0, mass = 1.0, length = 1.0, dt = 0.05, limit = 200
  state { angle: f32, spin: f32, steps: i32 }
  action Box(low = [-2.0], high = [2.0])
  reset { angle ~ Uniform(-π, π); spin ~ Uniform(-1.0, 1.0); steps = 0 }
  step(a) {
    torque = clip(a[0], -2.0, 2.0)
    spin'  = clip(spin +
      (1.5 * gravity / length * sin(angle) + 3.0 / (mass * length^2) * torque) * dt, -8.0, 8.0)
    angle' = angle + spin' * dt
    steps' = steps + 1
  }
  upright      = (angle + π) % (2.0 * π) - π
  π            = 3.141592653589793
  observations = Box(low = [-1.0, -1.0, -8.0], high = [1.0, 1.0, 8.0])
  observe      = [cos(angle), sin(angle), spin]
  reward       = -(upright^2 + 0.1 * spin^2 + 0.001 * torque^2)
  terminated   = false
  truncated    = steps' >= limit
}
