"""Blocks: advance(*inputs) returns outputs; chains of blocks are a SuperBlock."""


class Block:
    """inputs, outputs: numbers or names. Override advance(); signal(name) is an event."""

    def __init__(self, inputs=0, outputs=0):
        self._name = None
        self._inputs = _names(inputs)
        self._outputs = _names(outputs)

    def advance(self, *args):
        """Outputs for inputs: one value, or a tuple of several."""
        raise NotImplementedError(f"{type(self).__name__} gives no advance()")

    def signal(self, name, *args):
        """Receives an event such as 'reset'."""

    def __str__(self):
        return self._name or type(self).__name__

    def __call__(self, *args):
        return self.advance(*args)

    def __getstate__(self):
        return dict(self.__dict__)

    def __setstate__(self, state):
        self.__dict__.update(state)


def _names(items):
    if isinstance(items, int):
        return [str(i) for i in range(items)]
    return [items] if isinstance(items, str) else list(items)


class SuperBlock(Block):
    """Blocks run one after the other, each fed with the outputs of the one before."""

    def __init__(self, blocks):
        self.blocks = list(blocks)
        Block.__init__(self, self.blocks[0]._inputs, self.blocks[-1]._outputs)

    def advance(self, *args):
        for block in self.blocks:
            result = block.advance(*args)
            args = result if isinstance(result, tuple) else (result,)
        return args if len(args) != 1 else args[0]

    def signal(self, name, *args):
        for block in self.blocks:
            block.signal(name, *args)


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
        self.value = value


class ValueSink(Sink):
    """Keeps the last value; read() returns it."""

    def __init__(self):
        Sink.__init__(self)
        self.value = None

    def advance(self, value):
        self.value = value

    def read(self):
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


class BinaryOp(Block):
    """func(a, b)."""

    def __init__(self, func):
        Block.__init__(self, 2, 1)
        self.func = func

    def advance(self, a, b):
        return self.func(a, b)
