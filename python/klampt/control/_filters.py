"""Filters of commands: functions that pass, change or refuse what they are given.

What they do is said by `op`: 'clamp' brings values into the limits, 'warn' and 'stop' raise a BlockSignal of that kind
('warn', 'softStop').
"""

import math
import os

from ..math import so3
from .blocks.core import Block
from .blocks.utils import BlockSignal


def _signal(op, why):
    raise BlockSignal("softStop" if op == "stop" else "warn", why)


def _checked(op, choices):
    if op not in choices:
        raise ValueError(f"op '{op}' is not known; use " + ", ".join(choices))
    return op


def _clamp(values, low, high):
    return [max(a, min(b, x)) for x, a, b in zip(values, low, high)]


class LimitFilter:
    """Keeps values within limits."""

    def __init__(self, op, qmin, qmax):
        self.op, self.qmin, self.qmax = _checked(op, ("clamp", "stop", "warn")), qmin, qmax

    def __call__(self, q):
        clamped = _clamp(q, self.qmin, self.qmax)
        if clamped != list(q) and self.op != "clamp":
            _signal(self.op, "limit reached")
        return clamped if self.op == "clamp" else q


class BrakeLimitFilter:
    """Keeps (q, dq) where the accelerations amin < 0 and amax > 0 can stop it within qmin and qmax."""

    def __init__(self, op, qmin, qmax, amin, amax):
        self.op = _checked(op, ("clamp", "stop", "warn"))
        if not len(qmin) == len(qmax) == len(amin) == len(amax):
            raise ValueError(f"limits have different sizes: {len(qmin)}, {len(qmax)}, {len(amin)}, {len(amax)}")
        for i, (low, high, brake, push) in enumerate(zip(qmin, qmax, amin, amax)):
            if not (low <= high and brake < 0 < push):
                raise ValueError(f"limits of joint {i} are not in order: {low} <= {high}, {brake} < 0 < {push}")
        self.qmin, self.qmax, self.amin, self.amax = qmin, qmax, amin, amax

    def _joint(self, i, q, v):
        a = self.amax[i] if v < 0 else self.amin[i]
        stop = q - 0.5 * v * v / a
        if self.qmin[i] <= stop <= self.qmax[i]:
            return q, v
        if self.op != "clamp":
            _signal(self.op, f"joint {i} cannot stop within its limits")
        if not self.qmin[i] <= q <= self.qmax[i]:
            return max(self.qmin[i], min(self.qmax[i], q)), 0.0
        end = self.qmin[i] if v < 0 else self.qmax[i]
        return q, math.copysign(math.sqrt(max(0.0, 2.0 * a * (q - end))), v)

    def __call__(self, q, dq):
        pairs = [self._joint(i, x, v) for i, (x, v) in enumerate(zip(q, dq))]
        return [x for x, _ in pairs], [v for _, v in pairs]


class CartesianLimitFilter:
    """Keeps transforms where the position is within xmin and xmax and roll, pitch, yaw from the rotation Rref within rpymin
    and rpymax; None for what is not limited."""

    def __init__(self, op, Rref, rpymin, rpymax, xmin, xmax):
        self.op = _checked(op, ("clamp", "stop", "warn"))
        self.Rref, self.rpymin, self.rpymax, self.xmin, self.xmax = Rref, rpymin, rpymax, xmin, xmax

    def _limit(self, values, low, high):
        clamped = _clamp(values, low, high)
        if clamped != list(values) and self.op != "clamp":
            _signal(self.op, "limit reached")
        return clamped

    def __call__(self, T):
        R, t = T
        if self.Rref is not None:
            rpy = [math.remainder(a, 2.0 * math.pi) for a in so3.rpy(so3.mul(so3.inv(self.Rref), R))]
            clamped = self._limit(rpy, self.rpymin, self.rpymax)
            if clamped != rpy:
                R = so3.mul(self.Rref, so3.from_rpy(clamped))
        if self.xmin is not None:
            t = self._limit(t, self.xmin, self.xmax)
        return (R, t)


class SelfCollisionFilter:
    """Signals driver values at which the robot hits itself."""

    def __init__(self, op, robot=None):
        if robot is None:  # SelfCollisionFilter(robot)
            op, robot = "warn", op
        self.op, self.robot = _checked(op, ("stop", "warn")), robot

    def __call__(self, q):
        self.robot.setConfig(self.robot.configFromDrivers(q))
        if self.robot.selfCollides():
            _signal(self.op, "collision")
        return q


class CollisionFilter:
    """Signals driver values at which the robot hits one of the obstacles: geometries or bodies."""

    def __init__(self, op, robot, obstacles):
        self.op, self.robot = _checked(op, ("stop", "warn")), robot
        self.obstacles = [o.geometry() if callable(getattr(o, "geometry", None)) else o for o in obstacles]
        self.links = [l for l in (robot.link(i) for i in range(robot.numLinks())) if not l.geometry().empty()]

    def __call__(self, q):
        self.robot.setConfig(self.robot.configFromDrivers(q))
        for link in self.links:
            if any(o.collides(link.geometry()) for o in self.obstacles):
                _signal(self.op, f"collision with link {link.getName()}")
        return q


class DifferenceFilter:
    """Signals two vectors that differ by more than a threshold, by a norm (the largest component by default)."""

    def __init__(self, op, threshold, norm=float("inf")):
        self.op, self.threshold, self.norm = _checked(op, ("stop", "warn")), threshold, norm

    def advance(self, q1, q2):
        d = [abs(a - b) for a, b in zip(q1, q2)]
        size = max(d, default=0.0) if math.isinf(self.norm) else sum(x ** self.norm for x in d) ** (1.0 / self.norm)
        if size > self.threshold:
            _signal(self.op, "difference threshold exceeded")

    __call__ = advance


class LoggingFilter(Block):
    """Appends its inputs, one row a step, to a file of values between delimiters."""

    def __init__(self, fn, items, delim=",", header=True):
        Block.__init__(self, items, 0)
        self.fn, self.items, self.delim, self.header = fn, items, delim, header
        self.file = None

    def advance(self, *args):
        if len(args) != len(self.items):
            raise ValueError(f"{len(self.items)} values are wanted, got {len(args)}")
        rows = [list(a) if hasattr(a, "__iter__") else [a] for a in args]
        if self.file is None:
            new = not os.path.exists(self.fn)
            self.file = open(self.fn, "a", buffering=1)
            if new and self.header:
                names = [f"{n}[{i}]" if hasattr(a, "__iter__") else n
                         for n, a, row in zip(self.items, args, rows) for i in range(len(row))]
                self.file.write(self.delim.join(names) + "\n")
        self.file.write(self.delim.join(str(v) for row in rows for v in row) + "\n")
