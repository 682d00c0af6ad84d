# CartPole-v1 of Gymnasium (Barto, Sutton and Anderson, 1983, appendix): the same constants, Euler steps, limits and 500 steps.

## Balance a pole on a cart by pushing it left (0) or right (1). Metres, radians, seconds; a step is 0.02 s. Observation: f32[4], position, speed,
## angle, spin. Reward 1 a step. Terminated beyond 2.4 m or 12 degrees; truncated after `limit` steps.
env CartPole {
  param gravity = 9.8, cart_mass = 1.0, pole_mass = 0.1, half_length = 0.5, force = 10.0, dt = 0.02,
    limit = 500
  state { x: f32, v: f32, angle: f32, spin: f32, steps: i32 }
  action Discrete(2)

  reset { (x, v, angle, spin) ~ Uniform(-0.05, 0.05); steps = 0 }
  step(a) {
    total        = cart_mass + pole_mass
    push         = if a == 1 then force else -force
    thrust       = (push + pole_mass * half_length * spin * spin * sin(angle)) / total
    angular      = (gravity * sin(angle) - cos(angle) * thrust) /
      (half_length * (4.0 / 3.0 - pole_mass * cos(angle) * cos(angle) / total))
    acceleration = thrust - pole_mass * half_length * angular * cos(angle) / total
    x'           = x + dt * v
    v'           = v + dt * acceleration
    angle'       = angle + dt * spin
    spin'        = spin + dt * angular
    steps'       = steps + 1
  }
  observations = Box(low = [-4.8, -inf, -0.41887902047863906, -inf],
    high = [4.8, inf, 0.41887902047863906, inf])
  observe      = [x, v, angle, spin]
  reward       = 1.0
  terminated   = abs(x') > 2.4 or abs(angle') > 0.20943951023931953
  truncated    = steps' >= limit
}
