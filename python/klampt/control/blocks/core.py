"""Blocks: advance(inputs) returns outputs; blocks that are connected run together as a SuperBlock."""

import operator

from ...math import vectorops
from ._channels import Input, Output, Ports


class Block:
    """inputs, outputs: how many, or their names. Override advance(); signal(name) is an event.

    `a.input[0] = b.output[1]` and `a.input["x"] = b` connect; with one channel `a.input = b.output` does. `c = Max()(a, b)`
    connects the outputs of a and b to its inputs.
    """

    def __init__(self, inputs=0, outputs=0):
        self._name = None
        self._inputs = Ports(self, Input, inputs)
        self._outputs = Ports(self, Output, outputs)

    @property
    def input(self):
        """The inputs."""
        return self._inputs

    @input.setter
    def input(self, source):
        self._inputs.single().connect(source)

    @property
    def output(self):
        """The outputs."""
        return self._outputs

    @output.setter
    def output(self, target):
        self._outputs.single().connect(target)

    def advance(self, *args):
        """Outputs for inputs: nothing, one value, a tuple or list of several, or a table by name. Inputs with names are
        given by name where blocks are connected."""
        raise NotImplementedError(f"{type(self).__name__} gives no advance()")

    def signal(self, name, *args):
        """Receives an event: 'reset', 'enter', 'exit', ..."""

    def __str__(self):
        return type(self).__name__ if self._name is None else f"{self._name}({type(self).__name__})"

    def __call__(self, *args):
        if len(args) != len(self._inputs):
            raise ValueError(f"{self} has {len(self._inputs)} inputs, got {len(args)}")
        if not all(isinstance(a, (Block, Ports, Output)) for a in args):
            return self.advance(*args)
        self._kept = args  # Channels hold blocks weakly.
        for channel, source in zip(self._inputs, args):
            channel.connect(source)
        return self

    def _process(self):
        """One step with what feeds the inputs."""
        for channel in self._inputs:
            channel.advance()
        if self._inputs.names:
            result = self.advance(**{name: channel.read() for name, channel in self._inputs.items()})
        else:
            result = self.advance(*[channel.read() for channel in self._inputs])
        self._give(result)
        return result

    def _give(self, result):
        count = len(self._outputs)
        if isinstance(result, dict) and (count != 1 or set(result) <= set(self._outputs.names)):
            for name, value in result.items():
                self._outputs[name].setValue(value)
        elif count == 1:
            self._outputs[0].setValue(result)
        elif count > 1:
            if result is None or len(result) != count:
                raise ValueError(f"{self} has {count} outputs, but advance() returned {result!r}")
            for channel, value in zip(self._outputs, result):
                channel.setValue(value)

    def debug(self, type):
        """Shows something of the block; 'print' prints it."""
        if type == "print":
            print(self)


def _neighbors(block):
    """Blocks before and after a block."""
    before = [c.source.block for c in block._inputs if isinstance(c.source, Output)]
    after = [t().block for c in block._outputs for t in c.targets if t() is not None]
    return [b for b in before if b is not None], [b for b in after if b is not None]


class SuperBlock(Block):
    """All blocks that are connected with the given ones, run in the order in which they feed each other. Inputs that
    nothing feeds, and outputs that feed nothing, are its own. Loops are cut where they close: a block there sees the
    outputs of the step before."""

    def __init__(self, seeds):
        seeds = [seeds] if isinstance(seeds, Block) else list(seeds)
        found, waiting = [], list(reversed(seeds))
        while waiting:
            block = waiting.pop()
            if not any(block is b for b in found):
                found.append(block)
                before, after = _neighbors(block)
                waiting += after + before
        self.blocks = []
        while found:
            ready = next((b for b in found if not any(n is o for n in _neighbors(b)[0] for o in found)), found[0])
            found = [b for b in found if b is not ready]
            self.blocks.append(ready)
        self.edges = [[(c, t()) for c in b._outputs for t in c.targets if t() is not None] for b in self.blocks]
        self.free_inputs = [c for b in self.blocks for c in b._inputs if c.source is None]
        self.free_outputs = [c for b in self.blocks for c in b._outputs if not c.targets]
        Block.__init__(self, [str(c) for c in self.free_inputs], [str(c) for c in self.free_outputs])

    def advance(self, *args, **named):
        values = list(args) + [named[name] for name in self._inputs.names[len(args):] if name in named]
        if len(values) != len(self.free_inputs):
            raise RuntimeError(f"the blocks have {len(self.free_inputs)} free inputs, got {len(values)}")
        for channel, value in zip(self.free_inputs, values):
            channel._value = value
        for block in self.blocks:
            block._process()
        return [channel.read() for channel in self.free_outputs]

    def signal(self, name, *args):
        for block in self.blocks:
            block.signal(type, *args)

    def debug(self, type):
        for block in self.blocks:
            block.debug(type)


class Source(Block):
    """A block without inputs."""

    def __init__(self):
        Block.__init__(self, 0, 1)


class Sink(Block):
    """A block without outputs."""

    def __init__(self):
        Block.__init__(self, 1, 0)


class ValueSource(Source):
    """Gives a value; write() changes it."""

    def __init__(self, value):
        Source.__init__(self)
        self.value = value

    def advance(self):
        return self.value

    def write(self, value):
        """Changes the value."""
        self.value = value


class ValueSink(Sink):
    """Keeps the last value; read() returns it."""

    def __init__(self):
        Sink.__init__(self)
        self.value = None

    def advance(self, value):
        self.value = value

    def read(self):
        """The last value."""
        return self.value


class Counter(Source):
    """Counts: initVal, initVal + increment, ..."""

    def __init__(self, initVal=0, increment=1):
        Source.__init__(self)
        self.value, self.increment = initVal, increment

    def advance(self):
        value = self.value
        self.value += self.increment
        return value

    def __getstate__(self):
        return {"value": self.value}

    def __setstate__(self, state):
        self.value = state["value"]


class BinaryOp(Block):
    """func(a, b)."""

    def __init__(self, func):
        Block.__init__(self, 2, 1)
        self.func = func

    def advance(self, a, b):
        return self.func(a, b)


def _operation(function):
    def combine(self, other):
        block = BinaryOp(function)
        block.input[0].connect(self)
        block.input[1].connect(other)
        if hasattr(self, "_kept"):
            self._kept.append(block)  # Blocks hold each other weakly.
        return block
    return combine


def _sum(sign):
    def combine(a, b):
        if hasattr(a, "__iter__"):
            return vectorops.madd(a, b, sign)
        return a + sign * b
    return combine


for _name, _function in (("__add__", _sum(1)), ("__sub__", _sum(-1)), ("__gt__", operator.gt), ("__ge__", operator.ge), ("__lt__", operator.lt),
                         ("__le__", operator.le), ("__eq__", operator.eq), ("__ne__", operator.ne)):
    setattr(Output, _name, _operation(_function))
del _name, _function


def _either(numbers, vectors, doc):
    def advance(self, a, b):
        return vectors(a, b) if hasattr(a, "__iter__") else numbers(a, b)

    def start(self):
        Block.__init__(self, 2, 1)
    return {"__init__": start, "advance": advance, "__doc__": doc, "__module__": __name__}


Add = type("Add", (Block,), _either(lambda a, b: a + b, vectorops.add, "a + b, of numbers or vectors."))
Sub = type("Sub", (Block,), _either(lambda a, b: a - b, vectorops.sub, "a - b, of numbers or vectors."))
Min = type("Min", (Block,), _either(min, vectorops.minimum, "The lesser of two numbers, entry by entry of vectors."))
Max = type("Max", (Block,), _either(max, vectorops.maximum, "The greater of two numbers, entry by entry of vectors."))
