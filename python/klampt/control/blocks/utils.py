"""Small blocks: functions, limits, choices."""

import inspect

from ...math import vectorops
from .core import Block


class BlockSignal(RuntimeError):
    """Raised by SignalBlock."""

    def __init__(self, signal, text):
        RuntimeError.__init__(self, text)
        self.signal = self.type = signal
        self.text = text


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

    def advance(self, *args, **named):
        return self.f(*args, *[named[name] for name in self._inputs.names if name in named])


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


class LimitExceeded(Block):
    """1 where an entry of x is beyond minimum or maximum, else 0."""

    def __init__(self):
        Block.__init__(self, ["x", "minimum", "maximum"], 1)

    def advance(self, x, minimum, maximum):
        return int(any(not a <= v <= b for v, a, b in zip(x, minimum, maximum)))


class Distance(Block):
    """The distance of two vectors in the metric 1, 2 or inf."""

    def __init__(self, metric=float("inf")):
        metrics = {1: vectorops.norm_L1, 2: vectorops.norm, float("inf"): vectorops.norm_Linf}
        if metric not in metrics:
            raise ValueError(f"the metric is 1, 2 or inf, not {metric}")
        self.metric = metrics[metric]
        Block.__init__(self, 2, 1)

    def advance(self, x1, x2):
        return self.metric(vectorops.sub(x1, x2))


class WorldCollision(Block):
    """A block that tells whether anything collides in a world, or what a WorldCollider checks, with the first robot's drivers at q."""

    def __init__(self, world_or_collider):
        from ...model.collide import WorldCollider
        is_collider = isinstance(world_or_collider, WorldCollider)
        self.collider = world_or_collider if is_collider else WorldCollider(world_or_collider)
        Block.__init__(self, ["q"], 1)

    def advance(self, q):
        robot = self.collider.world.robot(0)
        robot.setConfig(robot.configFromDrivers(q))
        return any(True for _ in self.collider.collisions())


class Mux(Block):
    """A block that chooses, of inputs index, case 0, case 1, ..., the case of the index."""

    def __init__(self, k):
        Block.__init__(self, k + 1, 1)

    def advance(self, *args):
        index = int(args[0])
        if not 0 <= index < len(args) - 1:
            raise RuntimeError(f"there is no case {index}: there are {len(args) - 1}")
        return args[index + 1]
