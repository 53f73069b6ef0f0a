"""Motions in driver values: what a completed interface follows where its base cannot."""

import bisect
import math

from ..math import spline, vectorops


class Line:
    """From a to b in a straight line with bounded speed and acceleration, from rest to rest.

    Values whose limit is zero, of drivers that have none, go along with the others.
    """

    def __init__(self, a, b, vmax, amax):
        self.a, self.d = list(a), vectorops.sub(b, a)
        self.end = list(b)
        moving = [(abs(d), v, acc) for d, v, acc in zip(self.d, vmax, amax) if d]
        self.v = min((v / d for d, v, _ in moving if v > 0), default=math.inf)
        self.acc = min((acc / d for d, _, acc in moving if acc > 0), default=math.inf)
        if not moving or (math.isinf(self.v) and math.isinf(self.acc)):
            self.ramp = self.duration = 0.0
            return
        if math.isinf(self.acc):
            self.ramp, self.duration = 0.0, 1.0 / self.v
            return
        self.v = min(self.v, math.sqrt(self.acc))  # A triangle when there is no time to cruise.
        self.ramp = self.v / self.acc
        self.duration = self.ramp + 1.0 / self.v

    def at(self, t):
        """Positions and velocities t seconds after the start."""
        if t >= self.duration:
            return list(self.end), [0.0] * len(self.end)
        if t < self.ramp:
            u, du = 0.5 * self.acc * t * t, self.acc * t
        elif t > self.duration - self.ramp:
            left = self.duration - t
            u, du = 1.0 - 0.5 * self.acc * left * left, self.acc * left
        else:
            u, du = self.v * (t - 0.5 * self.ramp), self.v
        return vectorops.madd(self.a, self.d, u), vectorops.mul(self.d, du)


class Pieces:
    """Linear pieces through positions, or cubic ones with velocities too."""

    def __init__(self, times, positions, velocities=None):
        self.times, self.q, self.v = times, positions, velocities
        self.duration = times[-1]
        self.end = list(positions[-1])

    def at(self, t):
        if t >= self.duration:
            rest = [0.0] * len(self.end)
            return list(self.end), rest if self.v is None else list(self.v[-1])
        k = max(0, bisect.bisect_right(self.times, t) - 1)
        dt = self.times[k + 1] - self.times[k]
        u = (t - self.times[k]) / dt
        if self.v is None:
            step = vectorops.sub(self.q[k + 1], self.q[k])
            return vectorops.madd(self.q[k], step, u), vectorops.div(step, dt)
        curve = (self.q[k], vectorops.mul(self.v[k], dt), self.q[k + 1],
                 vectorops.mul(self.v[k + 1], dt))
        return (spline.hermite_eval(*curve, u),
                vectorops.div(spline.hermite_deriv(*curve, u), dt))


class Constant:
    """A constant velocity for a duration."""

    def __init__(self, q, v, duration):
        self.q, self.v, self.duration = list(q), list(v), duration
        self.end = vectorops.madd(q, v, duration)

    def at(self, t):
        if t >= self.duration:
            return list(self.end), [0.0] * len(self.v)
        return vectorops.madd(self.q, self.v, t), list(self.v)


class Steps:
    """Positions computed step by step: step(t, q) returns the next ones, or None at the end."""

    def __init__(self, q, step, duration, end=None):
        self.q, self.step, self.duration = list(q), step, duration
        self.last = 0.0
        self.end = list(q if end is None else end)
        self.known_end = end is not None

    def at(self, t):
        before, dt = self.q, t - self.last
        if dt > 0:
            q = self.step(dt, before)
            self.last = t
            if q is None:
                self.duration = min(self.duration, t)
            else:
                self.q = list(q)
                if not self.known_end:
                    self.end = self.q
        v = vectorops.div(vectorops.sub(self.q, before), dt) if dt > 0 else [0.0] * len(before)
        return list(self.q), v
