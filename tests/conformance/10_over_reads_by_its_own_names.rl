# A function over t reads by that name what runs along the caller's index, and two indices may have
# each other's.
# expect: since(y, t = n)[n=0] = 0.0
# expect: since(y, t = n)[n=1] = 1.0
# expect: since(y, t = n)[n=2] = 2.0
# expect: since(y, t = n)[n=3] = 3.0
# expect: since(y, t = n)[n=4] = 4.0
# expect: across(x, i = t, t = i)[i=0, t=0] = 0.0
# expect: across(x, i = t, t = i)[i=0, t=1] = 1.0
# expect: across(x, i = t, t = i)[i=0, t=2] = 2.0
# expect: across(x, i = t, t = i)[i=1, t=0] = 0.0
# expect: across(x, i = t, t = i)[i=1, t=1] = 1.0
# expect: across(x, i = t, t = i)[i=1, t=2] = 2.0
# expect: across(x)[i=0, t=0] = 0.0
# expect: across(x)[i=0, t=1] = 0.0
# expect: across(x)[i=0, t=2] = 0.0
# expect: across(x)[i=1, t=0] = 100.0
# expect: across(x)[i=1, t=1] = 100.0
# expect: across(x)[i=1, t=2] = 100.0
# expect: frames(o, episode_start(ended, t = n), 2, t = n)[n=0] = [[0.0], [0.0]]
# expect: frames(o, episode_start(ended, t = n), 2, t = n)[n=1] = [[0.0], [1.0]]
# expect: frames(o, episode_start(ended, t = n), 2, t = n)[n=2] = [[1.0], [2.0]]
# expect: frames(o, episode_start(ended, t = n), 2, t = n)[n=3] = [[3.0], [3.0]]
# expect: frames(o, episode_start(ended, t = n), 2, t = n)[n=4] = [[3.0], [4.0]]

use std.wrappers.{episode_start, frames}

fn since(x: f32) over t = x - x[t: begin(t)]
fn across(x: f32) over i, t = x - x[i: begin(i)]
index n in 0..5
index i in 0..2
index t in 0..3
y[n] = 10.0 + n
print since(y, t = n)
x[i, t] = 100.0 * i + t
print across(x, i = t, t = i)
print across(x)
o[n] = [1.0 * n]
ended[n] = n == 2
print frames(o, episode_start(ended, t = n), 2, t = n)
