#!/usr/bin/env python3
"""MinAtar's games, by gymnax's rules and by the original ones: one step from random states, against their rules written down once more here;
draws are found in what came out."""

import itertools
import random

from testing import agree, main, table, transitions

NONE, LEFT, UP, RIGHT, DOWN, FIRE = range(6)
MINIMAL = {
    "Breakout": [NONE, LEFT, RIGHT],
    "Asterix": [NONE, LEFT, UP, RIGHT, DOWN],
    "Freeway": [NONE, UP, DOWN],
    "SpaceInvaders": [NONE, LEFT, RIGHT, FIRE],
}


def clip(x, low, high):
    return min(max(x, low), high)


def empty(value=False):
    return [[value] * 10 for _ in range(10)]


def image(cells):
    result = empty(0.0)
    for r, c in cells:
        if 0 <= r < 10 and 0 <= c < 10:
            result[r][c] = 1.0
    return result


def ones(board):
    return [(r, c) for r in range(10) for c in range(10) if board[r][c]]


class Breakout:
    limit = 1000

    def state(self, rng):
        bricks = empty()
        for r in (1, 2, 3):
            for c in range(10):
                bricks[r][c] = rng.random() < rng.choice((0.0, 0.5, 1.0))
        if rng.random() < 0.3:
            bricks = empty()
        y = rng.choice((0, 1, 2, 3, 4, 5, 8, 8, 8))
        return dict(
            ball_x=rng.randrange(10), ball_y=y, last_x=rng.randrange(10), last_y=rng.randrange(9),
            direction=rng.randrange(4), paddle=rng.randrange(10), bricks=bricks, struck=rng.random() < 0.4,
        )

    def outcomes(self, s, button):
        paddle = clip(s["paddle"] + {LEFT: -1, RIGHT: 1}.get(button, 0), 0, 9)
        dx, dy = [(-1, -1), (1, -1), (1, 1), (-1, 1)][s["direction"]]
        x, y = s["ball_x"] + dx, s["ball_y"] + dy
        bricks = [list(row) for row in s["bricks"]]
        reward, struck, over = 0.0, False, False
        if not 0 <= x <= 9:
            x, dx = clip(x, 0, 9), -dx
        if y < 0:
            y, dy = 0, -dy
        elif bricks[y][x]:
            struck = True
            if not s["struck"]:
                reward, bricks[y][x] = 1.0, False
                y, dy = s["ball_y"], -dy
        elif y == 9:
            if not ones(bricks):
                bricks = [[1 <= r <= 3] * 10 for r in range(10)]
            if s["ball_x"] == paddle:
                y, dy = s["ball_y"], -dy
            elif x == paddle:
                y, dx, dy = s["ball_y"], -dx, -dy
            else:
                over = True
        direction = [(-1, -1), (1, -1), (1, 1), (-1, 1)].index((dx, dy))
        after = dict(ball_x=x, ball_y=y, last_x=s["ball_x"], last_y=s["ball_y"], direction=direction,
                     paddle=paddle, bricks=bricks, struck=struck)
        return [(after, reward, over)]

    def image(self, s):
        return [image([(9, s["paddle"])]), image([(s["ball_y"], s["ball_x"])]), image([(s["last_y"], s["last_x"])]),
                image(ones(s["bricks"]))]

    def starts(self, s):
        return s["ball_y"] == 3 and (s["ball_x"], s["direction"]) in ((0, 2), (9, 3)) and len(ones(s["bricks"])) == 30


class Asterix:
    limit = 1000

    def state(self, rng):
        crowd = rng.choice((0.2, 0.6, 1.0))
        present = [rng.random() < crowd for _ in range(8)]
        at = rng.randrange(10)
        return dict(
            player_x=at, player_y=rng.randrange(1, 9),
            x=[rng.choice((0, 9, at, clip(at - 1, 0, 9), clip(at + 1, 0, 9))) if p else 0 for p in present],
            right=[rng.random() < 0.5 for _ in range(8)], gold=[rng.random() < 0.5 for _ in range(8)], present=present,
            spawn_speed=rng.choice((1, 2, 10)), spawn_timer=rng.choice((0, 0, 3)), move_speed=rng.choice((1, 2, 5)),
            move_timer=rng.choice((0, 0, 2)), ramp_timer=rng.choice((-1, 0, 100)), ramp_index=rng.randrange(4),
        )

    def outcomes(self, s, button):
        if s["spawn_timer"] != 0 or all(s["present"]):
            return [self.moved(s, button, None)]
        free = [k for k in range(8) if not s["present"][k]]
        return [self.moved(s, button, draw) for draw in itertools.product(free, (True, False), (True, False))]

    def moved(self, s, button, spawned):
        s = {k: list(v) if isinstance(v, list) else v for k, v in s.items()}
        things = [[s["x"][k], k + 1, s["right"][k], s["gold"][k]] if s["present"][k] else None for k in range(8)]
        if s["spawn_timer"] == 0:
            if spawned:
                slot, right, gold = spawned
                things[slot] = [0 if right else 9, slot + 1, right, gold]
                s["right"][slot], s["gold"][slot] = right, gold
            s["spawn_timer"] = s["spawn_speed"]
        s["player_x"] = clip(s["player_x"] + {LEFT: -1, RIGHT: 1}.get(button, 0), 0, 9)
        s["player_y"] = clip(s["player_y"] + {UP: -1, DOWN: 1}.get(button, 0), 1, 8)
        reward, over = 0.0, False

        def meet(k):
            nonlocal reward, over
            if things[k] and things[k][:2] == [s["player_x"], s["player_y"]]:
                if things[k][3]:
                    things[k], reward = None, reward + 1
                else:
                    over = True

        for k in range(8):
            meet(k)
        if s["move_timer"] == 0:
            s["move_timer"] = s["move_speed"]
            for k in range(8):
                if things[k]:
                    things[k][0] += 1 if things[k][2] else -1
                    if not 0 <= things[k][0] <= 9:
                        things[k] = None
                    meet(k)
        s["spawn_timer"] -= 1
        s["move_timer"] -= 1
        if s["spawn_speed"] > 1 or s["move_speed"] > 1:
            if s["ramp_timer"] >= 0:
                s["ramp_timer"] -= 1
            else:
                if s["move_speed"] > 1 and s["ramp_index"] % 2:
                    s["move_speed"] -= 1
                if s["spawn_speed"] > 1:
                    s["spawn_speed"] -= 1
                s["ramp_index"] += 1
                s["ramp_timer"] = 100
        s["present"] = [t is not None for t in things]
        s["x"] = [t[0] if t else 0 for t in things]
        return s, reward, over

    def image(self, s):
        there = [k for k in range(8) if s["present"][k]]
        gold = [(k + 1, s["x"][k]) for k in there if s["gold"][k]]
        enemies = [(k + 1, s["x"][k]) for k in there if not s["gold"][k]]
        trails = [(k + 1, s["x"][k] + (-1 if s["right"][k] else 1)) for k in there]
        return [image([(s["player_y"], s["player_x"])]), image(enemies), image(trails), image(gold)]

    def starts(self, s):
        return (s["player_x"], s["player_y"], s["spawn_timer"], s["move_timer"]) == (5, 5, 10, 5) and not any(s["present"])


class Freeway:
    limit = 2500

    def state(self, rng):
        speed = [rng.choice((-1, 1)) * rng.randrange(1, 6) for _ in range(8)]
        return dict(
            chicken=rng.choice((1, 1, 2, 4, 5, 8, 9)), rest=rng.choice((0, 0, 2)),
            x=[rng.choice((0, 3, 4, 5, 9)) for _ in range(8)], timer=[rng.randrange(abs(v) + 1) for v in speed], speed=speed,
        )

    def outcomes(self, s, button):
        return [lambda after: self.moved(s, button, after["speed"])]

    def moved(self, s, button, drawn):
        at, rest, reward = s["chicken"], s["rest"], 0.0
        x, timer, speed = list(s["x"]), list(s["timer"]), list(s["speed"])
        if button in (UP, DOWN) and rest == 0:
            rest, at = 3, clip(at + (-1 if button == UP else 1), 0, 9)
        if at == 0:
            reward, at, speed, timer = 1.0, 9, list(drawn), [abs(v) for v in drawn]
        for k in range(8):
            if (x[k], k + 1) == (4, at):
                at = 9
            if timer[k] == 0:
                timer[k], x[k] = abs(speed[k]), (x[k] + (1 if speed[k] > 0 else -1)) % 10
                if (x[k], k + 1) == (4, at):
                    at = 9
            else:
                timer[k] -= 1
        return dict(chicken=at, rest=max(rest - 1, 0), x=x, timer=timer, speed=speed), reward, False

    def image(self, s):
        trails = [(k + 1, (s["x"][k] - (1 if s["speed"][k] > 0 else -1)) % 10, abs(s["speed"][k])) for k in range(8)]
        cars = [(k + 1, s["x"][k]) for k in range(8)]
        return [image([(s["chicken"], 4)]), image(cars)] + [image([t[:2] for t in trails if t[2] == v]) for v in range(1, 6)]

    def starts(self, s):
        return (s["chicken"], s["rest"]) == (9, 3) and all(1 <= abs(v) <= 5 for v in s["speed"]) and s["x"] == [0] * 8


class SpaceInvaders:
    limit = 1000

    def state(self, rng):
        aliens, bullets, bombs = empty(), empty(), empty()
        for _ in range(rng.choice((1, 4, 30))):
            aliens[rng.choice((0, 1, 4, 8, 9))][rng.choice((0, 2, 5, 9))] = True
        for r, c in ones(aliens):
            if rng.random() < 0.4:
                bullets[min(r + 1, 9)][c] = True
        for _ in range(5):
            bombs[rng.randrange(10)][rng.randrange(10)] = True
        return dict(
            cannon=rng.randrange(10), aliens=aliens, bullets=bullets, bombs=bombs, leftward=rng.random() < 0.5,
            interval=rng.choice((6, 7, 12)), move_timer=rng.choice((0, 0, 3)), bomb_timer=rng.choice((0, 4)),
            shot_timer=rng.choice((0, 0, 2)),
        )

    def outcomes(self, s, button):
        s = {k: [list(row) for row in v] if isinstance(v, list) else v for k, v in s.items()}
        over = False
        if button == FIRE and s["shot_timer"] == 0:
            s["bullets"][9][s["cannon"]] = True
            s["shot_timer"] = 5
        s["cannon"] = clip(s["cannon"] + {LEFT: -1, RIGHT: 1}.get(button, 0), 0, 9)
        at = s["cannon"]
        s["bullets"] = s["bullets"][1:] + [[False] * 10]
        s["bombs"] = [[False] * 10] + s["bombs"][:9]
        over |= s["bombs"][9][at] or s["aliens"][9][at]
        if s["move_timer"] == 0:
            s["move_timer"] = min(len(ones(s["aliens"])), s["interval"])
            wall = 0 if s["leftward"] else 9
            if any(row[wall] for row in s["aliens"]):
                s["leftward"] = not s["leftward"]
                over |= any(s["aliens"][9])
                s["aliens"] = s["aliens"][9:] + s["aliens"][:9]
            else:
                s["aliens"] = [row[1:] + row[:1] if s["leftward"] else row[9:] + row[:9] for row in s["aliens"]]
            over |= s["aliens"][9][at]
        if s["bomb_timer"] == 0:
            s["bomb_timer"] = 10
            lane = min((c for c in range(10) if any(row[c] for row in s["aliens"])), key=lambda c: (abs(c - at), c))
            s["bombs"][max(r for r in range(10) if s["aliens"][r][lane])][lane] = True
        killed = [(r, c) for r, c in ones(s["aliens"]) if s["bullets"][r][c]]
        for r, c in killed:
            s["aliens"][r][c] = s["bullets"][r][c] = False
        s["shot_timer"] = max(s["shot_timer"] - 1, 0)
        s["move_timer"] -= 1
        s["bomb_timer"] -= 1
        if not ones(s["aliens"]):
            s["interval"] -= s["interval"] > 6
            s["aliens"] = [[r < 4 and 2 <= c < 8 for c in range(10)] for r in range(10)]
        return [(s, float(len(killed)), over)]

    def image(self, s):
        aliens, nothing = image(ones(s["aliens"])), empty(0.0)
        sides = [aliens, nothing] if s["leftward"] else [nothing, aliens]
        return [image([(9, s["cannon"])]), aliens, *sides, image(ones(s["bullets"])), image(ones(s["bombs"]))]

    def starts(self, s):
        return s["cannon"] == 5 and s["leftward"] and ones(s["aliens"]) == [(r, c) for r in range(4) for c in range(2, 8)]


def test_of(game):
    name = type(game).__name__

    def steps(runner):
        rng = random.Random(11)
        states = [game.state(rng) for _ in range(110)]
        actions = [rng.randrange(len(MINIMAL[name])) for _ in states]
        clocks = [game.limit - 1 if i % 10 == 0 else i for i in range(len(states))]
        got = transitions(runner, f"std.envs.{name}", name, [dict(s, steps=n) for s, n in zip(states, clocks)], actions)
        rewards = ends = 0
        for i, (s, a, n) in enumerate(zip(states, actions, clocks)):
            after = dict(got["next"][i])
            agree(after.pop("steps"), n + 1)
            possible = [o(after) if callable(o) else o for o in game.outcomes(s, MINIMAL[name][a])]
            mine = [o for o in possible if o[0] == after]
            if not mine:
                raise AssertionError(f"{name} from {s} by {a}: {after} is none of {[o[0] for o in possible]}")
            _, reward, over = mine[0]
            agree([got["r"][i], got["terminated"][i], got["truncated"][i]], [reward, over, n + 1 >= game.limit],
                  what=f"{name} from {s} by {a}")
            agree(got["seen"][i], game.image(s), what=f"{name} sees {s}")
            rewards, ends = rewards + (reward > 0), ends + over
        if rewards < 5 or ends < 5 and name != "Freeway":
            raise AssertionError(f"{rewards} rewards and {ends} ends: the test is too weak")

    def episodes(runner):
        got = runner.output(f"""
use std.envs.{name}
index b in 0..40
index t in 0..60
s[b, 0] ~ {name}.reset()
a ~ Categorical(logits = zeros([{len(MINIMAL[name])}]) + 0.0 * b + 0.0 * t)
(s[b, t+1], r, terminated, truncated, last) ~ {name}.autoreset(s, a)
print "first", s[0]
print "terminated", terminated
print "after", s[.., t in 1..=60]
""".replace("s[0]", "s[t: 0]").replace("s[.., t in 1..=60]", "s[t+1]"))
        for s in got["first"]:
            if not game.starts(s):
                raise AssertionError(f"{name} starts with {s}")
        ended = 0
        for over, s in zip(got["terminated"], got["after"]):
            ended += over
            if over and not (game.starts(s) and s["steps"] == 0):
                raise AssertionError(f"{name} goes on after its end with {s}")
        if not ended and name != "Freeway":
            raise AssertionError(f"no episode of {name} ended")

    steps.__name__, episodes.__name__ = f"steps_{name}", f"episodes_{name}"
    return [steps, episodes]


def original_of(game):
    """By the original rules: all six buttons, the last one instead of the chosen one now and then, no limit at a thousand steps."""
    name = type(game).__name__

    def sticky(runner):
        rng = random.Random(12)
        states = [game.state(rng) for _ in range(60)]
        last = [rng.randrange(6) for _ in states]
        actions = [rng.choice([b for b in range(6) if b != l]) for l in last]
        clocks = [5000 if name != "Freeway" else (2499, 2500)[i % 2] for i in range(len(states))]
        inner = ", ".join(f"{k} = {v}" for k, v in table("s", [dict(s, steps=n) for s, n in zip(states, clocks)]).items())
        got = runner.output(f"""
use std.envs.minatar.Sticky{name}
index n in 0..{len(states)}
s[n] = Sticky{name}.State(inner = {{ {inner} }}, last = {table("last", last)})
(next, r, terminated, truncated) = Sticky{name}.step(s, {table("a", actions)})
print "next", next
print "r", r
print "ends", [terminated, truncated]
""")
        for i, (s, n) in enumerate(zip(states, clocks)):
            after, button = got["next"][i]["inner"], got["next"][i]["last"]
            if button not in (actions[i], last[i]):
                raise AssertionError(f"{button} is neither {actions[i]} nor {last[i]}")
            agree(after.pop("steps"), n + 1)
            possible = [o(after) if callable(o) else o for o in game.outcomes(s, button)]
            mine = [o for o in possible if o[0] == after]
            if not mine:
                raise AssertionError(f"Sticky{name} from {s} by {button}: {after} is none of {[o[0] for o in possible]}")
            agree([got["r"][i], got["ends"][i]], [mine[0][1], [mine[0][2], name == "Freeway" and n == 2500]], what=name)

    def share(runner):
        got = runner.output(f"""
use std.envs.minatar.Sticky{name}
index n in 0..4000
s[n] ~ Sticky{name}.reset()
(next, r, terminated, truncated) = Sticky{name}.step(s, 5)
print "first", max(s.last for n)
print "sticks", mean(f32(next.last == 0) for n)
""")
        agree([got["first"][0], got["sticks"][0]], [0, 0.1], 0.02, name)

    sticky.__name__, share.__name__ = f"original_{name}", f"sticky_share_{name}"
    return [sticky, share]


def spawns(runner):
    """Asterix: one third of what comes is gold, half of it from the left, in all free rows alike."""
    got = runner.output("""
use std.envs.Asterix
index n in 0..4000
free = arange(8) == 2 or arange(8) == 5
s[n] = Asterix.State(player_x = 5, player_y = 8, x = i32(zeros([8])), right = free, gold = free, present = not free,
  spawn_speed = 10, spawn_timer = 0, move_speed = 5, move_timer = 3, ramp_timer = 9, ramp_index = 0, steps = n)
(next, r, terminated, truncated) = Asterix.step(s, 0)
row = if next.present[..][2] then 2 else 5
print "parts", [mean(f32(next.gold[..][row]) for n), mean(f32(next.right[..][row]) for n), mean(f32(row == 2) for n), mean(f32(sum(next.present[..])) for n)]
""")
    agree(got["parts"][0], [1 / 3, 1 / 2, 1 / 2, 7.0], 0.03, "what comes in")


if __name__ == "__main__":
    games = (Breakout(), Asterix(), Freeway(), SpaceInvaders())
    main([t for game in games for t in test_of(game) + original_of(game)] + [spawns])
