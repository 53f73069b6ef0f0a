"""Frames, transforms, points and directions."""

from ...math import se3, so3, vectorops


class Frame:
    """A named frame with a parent; coordinates in the world and relative to the parent."""

    def __init__(self, name, worldCoordinates=se3.identity(), parent=None,
                 relativeCoordinates=None):
        if relativeCoordinates is None and worldCoordinates is None:
            raise ValueError("a frame wants relativeCoordinates or worldCoordinates")
        self._name = name
        self._parent = parent
        self._data = None
        base = parent.worldCoordinates() if parent is not None else None
        if relativeCoordinates is None:
            relativeCoordinates = (worldCoordinates if base is None
                                   else se3.mul(se3.inv(base), worldCoordinates))
        elif worldCoordinates is None:
            worldCoordinates = (relativeCoordinates if base is None
                                else se3.mul(base, relativeCoordinates))
        self._worldCoordinates = worldCoordinates
        self._relativeCoordinates = relativeCoordinates

    def name(self):
        return self._name

    def data(self):
        """The body the frame follows, or None."""
        return self._data

    def worldOrigin(self):
        return self._worldCoordinates[1]

    def relativeOrigin(self):
        return self._relativeCoordinates[1]

    def worldRotation(self):
        return self._worldCoordinates[0]

    def relativeRotation(self):
        return self._relativeCoordinates[0]

    def worldCoordinates(self):
        """Transform (R, t) of the frame in the world."""
        return self._worldCoordinates

    def relativeCoordinates(self):
        """Transform (R, t) of the frame in its parent."""
        return self._relativeCoordinates

    def parent(self):
        return self._parent


class Transform:
    """The transform from a source frame to a destination frame (None: the world)."""

    def __init__(self, source, destination=None):
        assert isinstance(source, Frame), "the source of a Transform must be a Frame"
        assert destination is None or isinstance(destination, Frame), (
            "the destination of a Transform must be a Frame or None")
        self._name = None
        self._source = source
        self._destination = destination

    def source(self):
        return self._source

    def destination(self):
        return self._destination

    def coordinates(self):
        """Transform (R, t) of the source in the destination."""
        T = self._source.worldCoordinates()
        if self._destination is None:
            return T
        return se3.mul(se3.inv(self._destination.worldCoordinates()), T)

    def translationCoordinates(self):
        """Position of the source in the destination."""
        return self.coordinates()[1]

    def rotationCoordinates(self):
        """Rotation of the source in the destination."""
        return self.coordinates()[0]

    def toWorld(self):
        return Transform(self._source, None)

    def to(self, frame):
        return Transform(self._source, frame)


class _Coordinates:
    """Three numbers in a frame (None: the world). A list of them is kept as it is: programs change it later."""

    def __init__(self, localCoordinates=(0, 0, 0), frame=None, name=None):
        assert frame is None or isinstance(frame, Frame), "frame must be a Frame or None"
        self._name = name
        self._localCoordinates = localCoordinates if isinstance(localCoordinates, list) else list(localCoordinates)
        self._frame = frame

    def localCoordinates(self):
        """The three numbers in the frame."""
        return self._localCoordinates[:]

    def frame(self):
        return self._frame

    def toWorld(self):
        """The same, in the world."""
        return type(self)(self.worldCoordinates(), None, self._name)

    def to(self, newframe):
        """The same, in another frame."""
        if newframe is None or newframe == "world":
            return self.toWorld()
        T = se3.inv(newframe.worldCoordinates())
        return type(self)(self._moved(T, self.worldCoordinates()), newframe, self._name)

    def worldCoordinates(self):
        """The three numbers in the world."""
        if self._frame is None:
            return self._localCoordinates[:]
        return self._moved(self._frame.worldCoordinates(), self._localCoordinates)

    def localOffset(self, dir):
        """Adds a vector given in the frame."""
        self._localCoordinates = vectorops.add(self._localCoordinates, dir)

    def worldOffset(self, dir):
        """Adds a vector given in the world."""
        if self._frame is not None:
            dir = so3.apply(so3.inv(self._frame.worldRotation()), dir)
        self._localCoordinates = vectorops.add(self._localCoordinates, dir)

    def _joint_name(self, other, sign):
        if self._name is None or other._name is None:
            return None
        return self._name + sign + other._name

    def _combined(self, other, operation, result, sign):
        if other._frame is not self._frame:
            other = other.to(self._frame)
        return result(operation(self._localCoordinates, other._localCoordinates), self._frame,
                      self._joint_name(other, sign))


class Point(_Coordinates):
    """A point fixed to a frame. Point - Point is a Direction, Point + Direction a Point."""

    def _moved(self, T, x):
        return se3.apply(T, x)

    def __sub__(self, other):
        if isinstance(other, Direction):
            return self._combined(other, vectorops.sub, Point, "-")
        if not isinstance(other, Point):
            raise ValueError("from a Point only a Point or Direction can be taken")
        return self._combined(other, vectorops.sub, Direction, "-")

    def __add__(self, other):
        if not isinstance(other, Direction):
            raise ValueError("to a Point only a Direction can be added")
        return self._combined(other, vectorops.add, Point, "+")


class Direction(_Coordinates):
    """A direction fixed to a frame."""

    def _moved(self, T, x):
        return list(so3.apply(T[0], x))

    def scale(self, amount):
        """Multiplies by a number."""
        self._localCoordinates = vectorops.mul(self._localCoordinates, amount)

    def __sub__(self, other):
        if not isinstance(other, Direction):
            raise ValueError("from a Direction only a Direction can be taken")
        return self._combined(other, vectorops.sub, Direction, "-")

    def __add__(self, other):
        if not isinstance(other, (Point, Direction)):
            raise ValueError("to a Direction only a Point or Direction can be added")
        return self._combined(other, vectorops.add, type(other), "+")

    def __mul__(self, scale):
        if not isinstance(scale, (int, float)):
            raise ValueError("a Direction can only be multiplied by a number")
        name = self._name
        if name is not None and not name.endswith("_scaled"):
            name += "_scaled"
        return Direction(vectorops.mul(self._localCoordinates, scale), self._frame, name)

    def __truediv__(self, scale):
        return self * (1.0 / scale)

    __div__ = __truediv__
