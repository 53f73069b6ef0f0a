"""Blocks that learn linear models of what they see."""

from ..system_id import LinearSystemID
from .core import Block


class LinearSystemIDBlock(Block):
    """From the next state y, the state x and the control u: A, B and C of y = A x + B u + C, for m state variables and n
    controls."""

    def __init__(self, m, n):
        self.estimator = LinearSystemID(m, n)
        Block.__init__(self, ["y", "x", "u"], ["A", "B", "C"])

    def advance(self, y, x, u):
        self.estimator.add(x, u, y)
        return self.estimator.getModel()


class LinearSystemIDPredictionBlock(Block):
    """From the state x, the control u and what came of the last ones (ylast): the next state that is expected, y."""

    def __init__(self, m, n):
        Block.__init__(self, ["x", "u", "ylast"], ["y"])
        self.estimator = LinearSystemID(m, n)
        self.xlast = self.ulast = None

    def advance(self, x, u, ylast):
        if self.xlast is not None:
            self.estimator.add(self.xlast, self.ulast, ylast)
        self.xlast, self.ulast = x, u
        return self.estimator.getOutput(x, u)
