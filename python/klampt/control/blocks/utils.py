"""Small blocks: functions, limits, choices."""

import inspect

from ...math import vectorops
from .core import Block


class BlockSignal(RuntimeError):
    """Raised by SignalBlock."""

    def __init__(self, signal, text):
        RuntimeError.__init__(self, text)
        self.signal = signal


class SignalBlock(Block):
    """Raises BlockSignal when its input is true."""

    def __init__(self, type, text):
        Block.__init__(self, ["signal"], 0)
        self.type, self.text = type, text

    def advance(self, signal):
        if signal:
            raise BlockSignal(self.type, self.text)


class LambdaBlock(Block):
    """A function as a block."""

    def __init__(self, f, inputs="auto", outputs="auto"):
        names = list(inspect.signature(f).parameters) if inputs == "auto" else inputs
        Block.__init__(self, names, 1 if outputs == "auto" else outputs)
        self.f = f

    def advance(self, *args):
        return self.f(*args)


class LinearBlock(Block):
    """A x + b."""

    def __init__(self, A, b=None):
        Block.__init__(self, 1, 1)
        self.A, self.b = A, b

    def advance(self, x):
        import numpy as np
        y = np.dot(self.A, x)
        return y if self.b is None else y + self.b


class Concatenate(Block):
    """All inputs in one array."""

    def __init__(self, inputs):
        Block.__init__(self, inputs, 1)

    def advance(self, *args):
        import numpy as np
        return np.hstack(args)


class Clamp(Block):
    """x within minimum and maximum."""

    def __init__(self):
        Block.__init__(self, ["x", "minimum", "maximum"], 1)

    def advance(self, x, minimum, maximum):
        if hasattr(x, "__iter__"):
            return vectorops.minimum(vectorops.maximum(x, minimum), maximum)
        return min(max(x, minimum), maximum)


class If(Block):
    """One of two inputs."""

    def __init__(self):
        Block.__init__(self, ["cond", "truebranch", "falsebranch"], 1)

    def advance(self, cond, truebranch, falsebranch):
        return truebranch if cond else falsebranch
