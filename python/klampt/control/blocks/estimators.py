"""Derivatives and integrals of signals."""

from ...math import vectorops
from .core import Block


class Differentiator(Block):
    """dx of x by differences over dt, zeros at first; with a robot, of its configurations."""

    def __init__(self, robot=None):
        Block.__init__(self, ["dt", "x"], ["dx"])
        self.robot, self.xlast = robot, None

    def advance(self, dt, x):
        before, self.xlast = self.xlast, x
        if before is None:
            return [0.0] * len(x)
        change = vectorops.sub(x, before) if self.robot is None else self.robot.interpolateDeriv(before, x)
        return vectorops.div(change, dt)

    def signal(self, type, *args):
        if type == "reset":
            self.xlast = None

    def __getstate__(self):
        return {"last": self.xlast}

    def __setstate__(self, state):
        self.xlast = state["last"]


class Integrator(Block):
    """The integral of x over time; the value of a step counts for half of it so far."""

    def __init__(self):
        Block.__init__(self, ["dt", "x"], ["Ix"])
        self.integral = None

    def advance(self, dt, x):
        whole = vectorops.mul(x, dt)
        self.integral = whole if self.integral is None else vectorops.add(self.integral, whole)
        return vectorops.madd(self.integral, x, -0.5 * dt)

    def signal(self, type, *args):
        if type == "reset":
            self.integral = None

    def __getstate__(self):
        return {"integral": self.integral}

    def __setstate__(self, state):
        self.integral = state["integral"]
