"""Inputs and outputs of blocks, and what connects them."""

import weakref


class Channel:
    """The common part of inputs and outputs: a block, a place, a name, a type and a value."""

    kind = ""

    def __init__(self, block, index, name):
        self._owner = weakref.ref(block)
        self._index, self._name = index, name
        self._label, self._type = None, None
        self._value = None

    @property
    def block(self):
        """The block, None once it is gone."""
        return self._owner()

    def __str__(self):
        if self._label is not None:
            return self._label
        return f"{self.block}.{self._name}" if self._name else f"{self.block}.{self.kind}s[{self._index}]"

    def setName(self, name):
        """A name of its own, shown in place of the block's."""
        self._label = name

    def setType(self, type):
        """A type; channels of different types are not connected."""
        self._type = type

    def read(self):
        """The value of the last step."""
        return self._value

    def reset(self):
        """Forgets the value."""
        self._value = None


def _join(source, target):
    if source._type is not None and target._type is not None and source._type != target._type:
        raise ValueError(f"{source} is of type {source._type}, {target} of type {target._type}")
    target.source = source
    source.targets.append(weakref.ref(target))


class Input(Channel):
    """An input: fed by an output, or a constant. Nothing feeds it: it is free."""

    kind = "input"
    source = None

    def connect(self, source):
        """Connects an output, a block or outputs with one channel, or a constant."""
        if hasattr(source, "_outputs"):
            source = source._outputs
        if isinstance(source, Ports):
            source = source.single()
        if isinstance(source, Input):
            raise ValueError("an input is fed by an output, not by an input")
        if isinstance(source, Output):
            _join(source, self)
        else:
            self.source = source

    def advance(self):
        """Takes the value of what feeds it."""
        if self.source is not None:
            self._value = self.source._value if isinstance(self.source, Output) else self.source


class Output(Channel):
    """An output; sums, differences and comparisons of outputs are blocks, and so `core` defines them."""

    kind = "output"

    def __init__(self, block, index, name):
        Channel.__init__(self, block, index, name)
        self.targets, self._kept = [], []

    def connect(self, target):
        """Connects an input, or inputs with one channel."""
        if hasattr(target, "_inputs"):
            target = target._inputs
        if isinstance(target, Ports):
            target = target.single()
        if not isinstance(target, Input):
            raise ValueError("an output feeds inputs, nothing else")
        _join(self, target)

    def setValue(self, value):
        """The value of this step."""
        self._value = value

    __hash__ = object.__hash__


class Ports:
    """All inputs, or all outputs, of a block, by index or name."""

    def __init__(self, block, kind, channels):
        self._owner, self._kind = weakref.ref(block), kind
        names = [None] * channels if isinstance(channels, int) else [channels] if isinstance(channels, str) else channels
        self.channels = [kind(block, i, name) for i, name in enumerate(names)]

    @property
    def names(self):
        """Names of the channels that have one."""
        return [c._name for c in self.channels if c._name is not None]

    def addChannel(self, name=None):
        """Adds a channel; one of a name that is there is kept as it is."""
        if name is None or name not in self.names:
            self.channels.append(self._kind(self._owner(), len(self.channels), name))

    def single(self):
        """The only channel. Raises ValueError where there is not exactly one."""
        if len(self.channels) != 1:
            raise ValueError(f"{self._owner()} has {len(self.channels)} {self._kind.kind}s; choose one by index or name")
        return self.channels[0]

    def __len__(self):
        return len(self.channels)

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.channels)

    def items(self):
        """Pairs of names, or indices, and channels."""
        return [(i if c._name is None else c._name, c) for i, c in enumerate(self.channels)]

    def __getitem__(self, key):
        if isinstance(key, str):
            for c in self.channels:
                if c._name == key:
                    return c
            raise KeyError(f"{self._owner()} has no {self._kind.kind} '{key}': there are {self.names}")
        return self.channels[key]

    def __setitem__(self, key, source):
        self[key].connect(source)

    def __getattr__(self, name):
        # What one channel can do, a block with one channel can do.
        if name in ("connect", "setName", "setType", "setValue", "reset"):
            return getattr(self.single(), name)
        raise AttributeError(name)

    def read(self):
        """The values, one alone without a list."""
        values = [c.read() for c in self.channels]
        return values[0] if len(values) == 1 else values


def _forward(name):
    return lambda self, other: getattr(self.single(), name)(other)


setattr(Ports, "__hash__", object.__hash__)  # noqa: B010
for _name in ("__add__", "__sub__", "__gt__", "__ge__", "__lt__", "__le__", "__eq__", "__ne__"):
    setattr(Ports, _name, _forward(_name))
