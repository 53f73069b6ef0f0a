"""Grids of numbers over a box: implicit surfaces and occupancy grids."""

import numpy as np

from .mesh import GeometryData, translation


class _Grid(GeometryData):
    """Numbers at the centers of cells; `values` is an array of three dimensions, a view."""

    def __init__(self, rhs=None):
        self._bmin = np.zeros(3)
        self._bmax = np.zeros(3)
        self._values = np.zeros((0, 0, 0))
        self._number = self._default
        if rhs is not None:
            self._take_over(rhs)

    def _take_over(self, rhs):
        if not isinstance(rhs, type(self)):
            raise TypeError("a %s is needed, not a %s" % (type(self).__name__, type(rhs).__name__))
        self._bmin, self._bmax = rhs._bmin.copy(), rhs._bmax.copy()
        self._values = rhs._values.copy()
        self._number = rhs._number
        self._changed()

    def set(self, *args):
        """set(grid) takes over a copy; set(value) fills all cells; set(i, j, k, value) sets one."""
        if len(args) == 1 and isinstance(args[0], _Grid):
            self._take_over(args[0])
        elif len(args) == 1:
            self._values[...] = float(args[0])
        elif len(args) == 4:
            self._values[tuple(int(i) for i in args[:3])] = float(args[3])
        else:
            raise TypeError("set takes a grid, a value, or three indices and a value")
        self._changed()

    def getBmin(self):
        """Lower corner of the box, an array."""
        return self._bmin

    def setBmin(self, bmin):
        """Sets the lower corner of the box."""
        self._bmin = translation(bmin).copy()
        self._changed()

    def getBmax(self):
        """Upper corner of the box, an array."""
        return self._bmax

    def setBmax(self, bmax):
        """Sets the upper corner of the box."""
        self._bmax = translation(bmax).copy()
        self._changed()

    def resize(self, sx, sy, sz):
        """Gives the grid so many cells; those that were there keep their numbers."""
        values = np.zeros((sx, sy, sz))
        common = tuple(slice(0, min(a, b)) for a, b in zip(values.shape, self._values.shape))
        values[common] = self._values[common]
        self._values = values
        self._changed()

    def get(self, i, j, k):
        """Number of one cell."""
        return float(self._values[i, j, k])

    def shift(self, dv):
        """Adds to all numbers."""
        self._values += dv
        self._changed()

    def scale(self, cv):
        """Multiplies all numbers."""
        self._values *= cv
        self._changed()

    def getValues(self):
        """All numbers, a view of three dimensions."""
        return self._values

    def setValues(self, values):
        """Replaces all numbers by an array of three dimensions."""
        array = np.array(values, dtype=float)
        if array.ndim != 3:
            raise ValueError("values are an array of 3 dimensions, not %d" % array.ndim)
        self._values = array
        self._changed()

    def setBounds(self, bounds):
        """Sets lower and upper corner from six numbers."""
        bounds = np.asarray(bounds, dtype=float).ravel()
        if len(bounds) != 6:
            raise ValueError("bounds are 6 numbers, not %d" % len(bounds))
        self._bmin, self._bmax = bounds[:3].copy(), bounds[3:].copy()
        self._changed()

    def getBounds(self):
        """Lower and upper corner, six numbers."""
        return self._bmin.tolist() + self._bmax.tolist()

    bmin = property(getBmin, setBmin)
    bmax = property(getBmax, setBmax)
    bounds = property(getBounds, setBounds)
    values = property(getValues, setValues)

    def _ready(self):
        return self._values.size > 0 and bool(np.all(self._bmax > self._bmin))

    def __reduce__(self):
        return _make_grid, (type(self), self._bmin, self._bmax, self._values, self._number)

    def __repr__(self):
        return "<%s: %s cells>" % (type(self).__name__, " x ".join(map(str, self._values.shape)))


class ImplicitSurface(_Grid):
    """A signed distance at each center of a cell: below 0 inside.

    Attributes: `bmin`, `bmax`, `values`, `truncationDistance`: numbers of that size say only that the surface is no nearer.
    """

    _default = float("inf")

    def setTruncationDistance(self, d):
        """Sets the distance from which on numbers are cut off; infinite: none is."""
        self._number = float(d)
        self._changed()

    def getTruncationDistance(self):
        """The distance from which on numbers are cut off."""
        return self._number

    truncationDistance = property(getTruncationDistance, setTruncationDistance)


class OccupancyGrid(_Grid):
    """A number in [0, 1] for each cell; those above `occupancyThreshold` are solid.

    Attributes: `bmin`, `bmax`, `values`, `occupancyThreshold`.
    """

    _default = 0.5

    def setOccupancyThreshold(self, threshold):
        """Sets the number above which a cell is solid."""
        self._number = float(threshold)
        self._changed()

    def getOccupancyThreshold(self):
        """The number above which a cell is solid."""
        return self._number

    occupancyThreshold = property(getOccupancyThreshold, setOccupancyThreshold)


def _make_grid(kind, bmin, bmax, values, number):
    grid = kind()
    grid._bmin, grid._bmax, grid._values, grid._number = np.array(bmin), np.array(bmax), np.array(values), number
    return grid
