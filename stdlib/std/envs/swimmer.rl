# A chain of rods that swims in a viscous fluid, in reduced coordinates: an example of one's own physics.
use std.integrate.rk4
use std.linear.solved

## Swim to the right by torques at the n - 1 joints of a chain of n rods: f32[n - 1], clipped to [-1, 1], times `strength` (N m). The fluid resists
## each point of a rod in proportion to its speed (Gray and Hancock, 1955): `across` N s / m^2 across the rod, `along` along it. Rods have `length` m
## and `mass` kg. The coordinates are the centre of mass and the rods' angles, so no constraint needs solving; the equations are Lagrange's. A step
## takes `dt` s, in `substeps` steps of Runge and Kutta. Observation: f32[3 n + 2], cosines and sines of the angles, spins, the speed of the centre
## of mass. Reward: its speed to the right over the step, less `effort` times the squared action. Never terminated; truncated after `limit` steps.
env Swimmer(n: int = 3, substeps: int = 4) {
  param length = 0.5, mass = 0.5, across = 10.0, along = 1.0, strength = 1.0, dt = 0.04,
    effort = 0.0001, limit = 1000
  state { place: f32[2], speed: f32[2], angle: f32[n], spin: f32[n], steps: i32 }
  action Box(low = zeros([n - 1]) - 1.0, high = ones([n - 1]))
  reset {
    angle ~ Uniform(zeros([n]) - 0.1, 0.1)
    spin  ~ Uniform(zeros([n]) - 0.1, 0.1)
    place = zeros([2])
    speed = zeros([2])
    steps = 0
  }
  step(a) {
    torque = strength * clip(a, -1.0, 1.0)
    moment = concat([0.0], torque) - concat(torque, [0.0])  # a joint turns one rod, and the other one back
    moved  = through({ place = place, speed = speed, angle = angle, spin = spin, moment = moment },
      0)
    place' = moved.place
    speed' = moved.speed
    angle' = moved.angle
    spin'  = moved.spin
    steps' = steps + 1
  }
  through(s, k) = if k == substeps then s else through(rk4(slopes, s, dt / substeps), k + 1)
  slopes(s) {
    along_rod  = stack([cos(s.angle), sin(s.angle)], axis = 1)
    across_rod = stack([-sin(s.angle), cos(s.angle)], axis = 1)
    v          = s.speed + lever @ (expand_dims(s.spin, 1) * across_rod)
    drag       = -length *
      (across * sum(v * across_rod, axis = 1, keepdims = true) * across_rod +
        along * sum(v * along_rod, axis = 1, keepdims = true) * along_rod)
    between    = expand_dims(s.angle, 1) - expand_dims(s.angle, 0)
    inertia    = coupling * cos(between) + mass * length^2 / 12.0 * eye(n)
    turning    = s.moment - across * length^3 / 12.0 * s.spin +
      sum(across_rod * (transpose(lever) @ drag), axis = 1)
    { place = s.speed, speed = sum(drag, axis = 0) / (n * mass), angle = s.spin,
      spin = solved(inertia, turning - (coupling * sin(between)) @ (s.spin * s.spin)),
      moment = 0.0 * s.moment }
  }
  # Rod i's centre lies at the centre of mass plus lever[i, j] times the direction of each rod j.
  i            = expand_dims(arange(n), 1)
  j            = expand_dims(arange(n), 0)
  from_first   = length / 2.0 * (f32(j < i) + f32(j >= 1 and j <= i))
  lever        = from_first - mean(from_first, axis = 0)
  coupling     = mass * transpose(lever) @ lever
  observations = Box(low = zeros([3 * n + 2]) - inf, high = zeros([3 * n + 2]) + inf)
  observe      = concat(cos(angle), sin(angle), spin, speed)
  reward       = (place'[0] - place[0]) / dt - effort * sum(a * a)
  terminated   = false
  truncated    = steps' >= limit
}
