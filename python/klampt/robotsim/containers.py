"""Lists under the names that Klamp't's compiled module gives its own."""


class _Vector(list):
    """A list with the names of C++'s vectors besides Python's."""

    def __init__(self, *args):
        if len(args) == 2:
            super().__init__([self._item(args[1])] * int(args[0]))
        elif len(args) == 1 and isinstance(args[0], int):
            super().__init__([self._zero()] * args[0])
        else:
            super().__init__(self._item(v) for v in (args[0] if args else ()))

    def append(self, x):
        """Adds an item at the end."""
        super().append(self._item(x))

    push_back = append

    def pop_back(self):
        """Drops the last item."""
        self.pop()

    def empty(self):
        """Returns whether there are no items."""
        return not self

    def size(self):
        """Returns the number of items."""
        return len(self)

    capacity = size

    def reserve(self, n):
        """Has no effect."""

    def resize(self, n, x=None):
        """Cuts off, or adds, items at the end."""
        del self[n:]
        self.extend([self._zero() if x is None else self._item(x)] * (n - len(self)))

    def assign(self, n, x):
        """Becomes n times an item."""
        self[:] = [self._item(x)] * n

    def swap(self, v):
        """Exchanges items with another list."""
        self[:], v[:] = list(v), list(self)

    def front(self):
        """The first item."""
        return self[0]

    def back(self):
        """The last item."""
        return self[-1]

    def erase(self, first, last=None):
        """Removes an item by index, or a range."""
        del self[first:(first + 1 if last is None else last)]

    begin = iterator = list.__iter__
    rbegin = list.__reversed__

    def end(self):
        """An iterator that is at its end."""
        return iter(())

    rend = end

    def get_allocator(self):
        """None: Python allocates."""


def _vector(name, item, zero):
    return type(name, (_Vector,), {"_item": staticmethod(item), "_zero": staticmethod(zero), "__doc__": _Vector.__doc__,
                                   "__module__": __name__})


doubleVector = _vector("doubleVector", float, float)
floatVector = _vector("floatVector", float, float)
intVector = _vector("intVector", int, int)
stringVector = _vector("stringVector", str, str)
doubleMatrix = _vector("doubleMatrix", lambda row: doubleVector(row), lambda: doubleVector())


class stringMap(dict):
    """A dictionary of texts with the names of C++'s maps besides Python's."""

    def has_key(self, key):
        """Returns whether there is such a key."""
        return key in self

    def asdict(self):
        """A dictionary with the same content."""
        return dict(self)

    def empty(self):
        """Returns whether there are no keys."""
        return not self

    def size(self):
        """Returns the number of keys."""
        return len(self)

    def count(self, x):
        """1 where the key is there, else 0."""
        return int(x in self)

    def erase(self, key):
        """Removes a key."""
        self.pop(key, None)

    def find(self, x):
        """An iterator over the key, or none."""
        return iter([x] if x in self else [])

    def swap(self, v):
        """Exchanges content with another one."""
        mine, other = dict(self), dict(v)
        self.clear()
        v.clear()
        self.update(other)
        v.update(mine)

    def lower_bound(self, x):
        """The keys from this one on, in order."""
        return iter(sorted(k for k in self if k >= x))

    def upper_bound(self, x):
        """The keys behind this one, in order."""
        return iter(sorted(k for k in self if k > x))

    def iterkeys(self):
        """The keys."""
        return iter(self.keys())

    def itervalues(self):
        """The values."""
        return iter(self.values())

    def iteritems(self):
        """Pairs of keys and values."""
        return iter(self.items())

    begin = iterator = key_iterator = iterkeys
    value_iterator = itervalues
    end = rbegin = rend = _Vector.end
    get_allocator = _Vector.get_allocator


class _Array(list):
    """A list of fixed length."""

    def __init__(self, nelements):
        super().__init__([self._zero()] * int(nelements))

    def cast(self):
        """The list itself."""
        return self

    @classmethod
    def frompointer(cls, t):
        """A list with the content of another one."""
        array = cls(0)
        array.extend(t)
        return array


class SwigPyIterator:
    """Iterators of the lists above are Python's own; this class only has the name."""


class doubleArray(_Array):
    """A list of numbers."""
    _zero = float


class floatArray(_Array):
    """A list of numbers."""
    _zero = float


class intArray(_Array):
    """A list of whole numbers."""
    _zero = int


doubleArray_frompointer = doubleArray.frompointer
floatArray_frompointer = floatArray.frompointer
intArray_frompointer = intArray.frompointer
