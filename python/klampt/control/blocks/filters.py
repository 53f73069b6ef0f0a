"""Filters of signals."""

from collections import deque

from ...math import vectorops
from .core import Block


class FIRFilter(Block):
    """y[t] = b[0] x[t] + b[1] x[t-1] + ..., with as many terms as there were values."""

    def __init__(self, b):
        Block.__init__(self, 1, 1)
        if not len(b):
            raise ValueError("a filter needs at least one coefficient")
        self.b = list(b)
        self.history = deque(maxlen=max(len(self.b) - 1, 0))

    def advance(self, x):
        values = [x, *self.history]
        if hasattr(x, "__iter__"):
            result = vectorops.mul(x, self.b[0])
            for value, weight in zip(values[1:], self.b[1:]):
                result = vectorops.madd(result, value, weight)
        else:
            result = sum(value * weight for value, weight in zip(values, self.b))
        self.history.appendleft(x)
        return result

    def signal(self, type, *args, **inputs):
        if type == "reset":
            self.history.clear()

    def __getstate__(self):
        return {"history": list(self.history), "b": self.b}

    def __setstate__(self, state):
        self.b = state["b"]
        self.history = deque(state["history"], maxlen=max(len(self.b) - 1, 0))
