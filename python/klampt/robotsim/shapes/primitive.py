"""Geometric primitives."""

import numpy as np

from .mesh import GeometryData, translation

#: Numbers that each kind has; a polygon has three a corner.
_SIZES = {"Point": 3, "Sphere": 4, "Segment": 6, "Triangle": 9, "AABB": 6, "Box": 15, "Ellipsoid": 15, "Cylinder": 8,
          "Capsule": 7}


class GeometricPrimitive(GeometryData):
    """A shape that a few numbers describe.

    `type` is "Point", "Sphere", "Segment", "Triangle", "Polygon", "AABB", "Box", "Ellipsoid", "Cylinder", "Capsule", or
    "" when nothing is set. `properties` are its numbers: a point; center and radius; ends; corners; lower and upper
    corner; corner, three axes and sizes of a box; center, axes and radii of an ellipsoid; base, axis, radius and height
    of a cylinder; ends and radius of a capsule.
    """

    def __init__(self, rhs=None):
        self._type = ""
        self._properties = np.zeros(0)
        if rhs is not None:
            self.set(rhs)

    def set(self, rhs):
        """Takes over a copy of another primitive."""
        if not isinstance(rhs, GeometricPrimitive):
            raise TypeError("a GeometricPrimitive is needed, not a %s" % type(rhs).__name__)
        self._set(rhs._type, rhs._properties)

    def _set(self, kind, *parts):
        self._type = kind
        self._properties = np.concatenate([np.asarray(p, dtype=float).ravel() for p in parts]) if parts else np.zeros(0)
        self._changed()

    def setPoint(self, pt):
        """A point."""
        self._set("Point", translation(pt))

    def setSphere(self, c, r):
        """A ball: center and radius."""
        self._set("Sphere", translation(c), [float(r)])

    def setSegment(self, a, b):
        """A segment by its ends."""
        self._set("Segment", translation(a), translation(b))

    def setTriangle(self, a, b, c):
        """A triangle by its corners."""
        self._set("Triangle", translation(a), translation(b), translation(c))

    def setPolygon(self, verts):
        """A polygon: three numbers a corner, one after another."""
        corners = np.asarray(verts, dtype=float).ravel()
        if len(corners) < 9 or len(corners) % 3:
            raise ValueError("a polygon has at least 3 corners of 3 numbers each, not %d numbers" % len(corners))
        self._set("Polygon", corners)

    def setAABB(self, bmin, bmax):
        """A box along the axes, from its lower to its upper corner."""
        self._set("AABB", translation(bmin), translation(bmax))

    def setBox(self, ori, R, dims):
        """A box by a corner, its rotation and its sizes along its axes."""
        if len(R) != 9:
            raise ValueError("a rotation is a list of 9 numbers, not of %d" % len(R))
        self._set("Box", translation(ori), R, translation(dims))

    def getType(self):
        """Which primitive it is."""
        return self._type

    def getProperties(self):
        """Its numbers, an array."""
        return self._properties

    def setProperties(self, values):
        """Replaces its numbers. Raises ValueError for another number of them."""
        values = np.asarray(values, dtype=float).ravel()
        wanted = _SIZES.get(self._type)
        if wanted is not None and len(values) != wanted:
            raise ValueError("a primitive of type %s has %d numbers, not %d" % (self._type, wanted, len(values)))
        self._set(self._type, values)

    def loadString(self, str):
        """Reads the type and its numbers from a text; False when they make no sense."""
        words = str.split()
        try:
            numbers = [float(w) for w in words[1:]]
            if words[0] == "Polygon":
                self.setPolygon(numbers[1:] if len(numbers) % 3 == 1 else numbers)
            elif len(numbers) == _SIZES[words[0]]:
                self._set(words[0], numbers)
            else:
                return False
        except (IndexError, KeyError, ValueError):
            return False
        return True

    def saveString(self):
        """The text that `loadString` reads."""
        numbers = [repr(float(x)) for x in self._properties]
        count = [str(len(numbers) // 3)] if self._type == "Polygon" else []
        return " ".join([self._type] + count + numbers)

    type = property(getType)
    properties = property(getProperties, setProperties)

    def __reduce__(self):
        return _make_primitive, (self._type, self._properties)

    def __repr__(self):
        return "<GeometricPrimitive: %s %s>" % (self._type, self._properties.tolist())


def _make_primitive(kind, properties):
    primitive = GeometricPrimitive()
    primitive._set(kind, properties)
    return primitive
