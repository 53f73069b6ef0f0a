"""Triangle meshes and convex hulls as numpy arrays."""

import numpy as np


def points_array(values, what="points"):
    """An (n, 3) array of float64. Raises ValueError for another shape."""
    array = np.array(values, dtype=np.float64)
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError("%s are an array of shape (n, 3), not %s" % (what, array.shape))
    return np.ascontiguousarray(array)


def rotation_matrix(R):
    """The matrix of nine numbers that run column by column."""
    R = np.asarray(R, dtype=float)
    if R.shape != (9,):
        raise ValueError("a rotation is a list of 9 numbers, not of shape %s" % (R.shape,))
    return R.reshape(3, 3).T


def translation(t):
    """Three numbers as an array."""
    t = np.asarray(t, dtype=float)
    if t.shape != (3,):
        raise ValueError("a list of 3 numbers is needed, not one of shape %s" % (t.shape,))
    return t


class GeometryData:
    """The common part of the types of data: a geometry they may belong to, which learns of their changes."""

    _owner = None

    @property
    def isStandalone(self):
        """False for data that belong to a geometry: changes to them change it."""
        return self._owner is None

    @property
    def dataPtr(self):
        """A number that identifies the data."""
        return id(self)

    def _changed(self):
        if self._owner is not None:
            self._owner._take(self)

    def copy(self):
        """Data of their own with the same content."""
        return type(self)(self)


class TriangleMesh(GeometryData):
    """Triangles with shared corners.

    Attributes: `vertices`, an (n, 3) array of float64, and `indices`, an (m, 3) array of int32 that says for each
    triangle which vertices are its corners, counter-clockwise seen from outside. Both are views: writing to them changes
    the mesh. After writing into a view of a mesh that belongs to a Geometry3D, call `refreshCollider` of that.
    """

    def __init__(self, rhs=None):
        self._vertices = np.zeros((0, 3))
        self._indices = np.zeros((0, 3), dtype=np.int32)
        if rhs is not None:
            self.set(rhs)

    def set(self, rhs):
        """Takes over a copy of another mesh."""
        if not isinstance(rhs, TriangleMesh):
            raise TypeError("a TriangleMesh is needed, not a %s" % type(rhs).__name__)
        self._vertices = rhs._vertices.copy()
        self._indices = rhs._indices.copy()
        self._changed()

    def getVertices(self):
        """The vertices, a view of shape (n, 3)."""
        return self._vertices

    def setVertices(self, vertices):
        """Replaces all vertices by an (n, 3) array."""
        self._vertices = points_array(vertices, "vertices")
        self._changed()

    def addVertex(self, p):
        """Appends one vertex."""
        self._vertices = np.vstack([self._vertices, translation(p)])
        self._changed()

    def getIndices(self):
        """The triangles' corners, a view of shape (m, 3) and type int32."""
        return self._indices

    def setIndices(self, indices):
        """Replaces all triangles by an (m, 3) array of vertex numbers."""
        array = np.array(indices)
        if array.size == 0:
            array = np.zeros((0, 3))
        if array.ndim != 2 or array.shape[1] != 3:
            raise ValueError("indices are an array of shape (m, 3), not %s" % (array.shape,))
        self._indices = np.ascontiguousarray(array, dtype=np.int32)
        self._changed()

    def addTriangleIndices(self, t):
        """Appends one triangle, three vertex numbers."""
        self.setIndices(np.vstack([self._indices, np.asarray(t, dtype=np.int32).reshape(1, 3)]))

    def addTriangle(self, *corners):
        """The same, with the numbers as arguments or in one list."""
        self.addTriangleIndices(corners[0] if len(corners) == 1 else corners)

    def translate(self, t):
        """Moves all vertices by a vector."""
        self._vertices += translation(t)
        self._changed()

    def transform(self, R, t):
        """Moves all vertices by a pose: R v + t."""
        self._vertices[:] = self._vertices @ rotation_matrix(R).T + translation(t)
        self._changed()

    vertices = property(getVertices, setVertices)
    indices = property(getIndices, setIndices)

    def triangle(self, i):
        """Corners of triangle i: three tuples of three numbers."""
        return tuple(tuple(float(x) for x in self._vertices[k]) for k in self._indices[i])

    def _crosses(self):
        a, b, c = (self._vertices[self._indices[:, k]] for k in range(3))
        return np.cross(b - a, c - a)

    def triangleNormals(self):
        """Outward unit normals, one row a triangle; zeros for triangles without area."""
        return _unit_rows(self._crosses())

    def vertexNormals(self, area_weighted=True):
        """Outward unit normals at the vertices: means over the triangles around each, by area or evenly."""
        normals = self._crosses() if area_weighted else self.triangleNormals()
        sums = np.zeros_like(self._vertices)
        for k in range(3):
            np.add.at(sums, self._indices[:, k], normals)
        return _unit_rows(sums)

    def __reduce__(self):
        return _make_mesh, (self._vertices, self._indices)

    def __repr__(self):
        return "<TriangleMesh: %d vertices, %d triangles>" % (len(self._vertices), len(self._indices))


def _unit_rows(rows):
    lengths = np.linalg.norm(rows, axis=1)
    lengths[lengths == 0] = 1
    return rows / lengths[:, np.newaxis]


def _make_mesh(vertices, indices):
    mesh = TriangleMesh()
    mesh._vertices = np.array(vertices)
    mesh._indices = np.array(indices)
    return mesh


class ConvexHull(GeometryData):
    """The convex hull of points; `points` is an (n, 3) array, a view. Points inside the hull may be among them."""

    def __init__(self, rhs=None):
        self._points = np.zeros((0, 3))
        if rhs is not None:
            self.set(rhs)

    def set(self, rhs):
        """Takes over a copy of another hull's points."""
        if not isinstance(rhs, ConvexHull):
            raise TypeError("a ConvexHull is needed, not a %s" % type(rhs).__name__)
        self._points = rhs._points.copy()
        self._changed()

    def getPoints(self):
        """The points, a view of shape (n, 3)."""
        return self._points

    def setPoints(self, points):
        """Replaces all points by an (n, 3) array."""
        self._points = points_array(points)
        self._changed()

    def addPoint(self, pt):
        """Appends one point."""
        self._points = np.vstack([self._points, translation(pt)])
        self._changed()

    def translate(self, t):
        """Moves all points by a vector."""
        self._points += translation(t)
        self._changed()

    def transform(self, R, t):
        """Moves all points by a pose: R p + t."""
        self._points[:] = self._points @ rotation_matrix(R).T + translation(t)
        self._changed()

    points = property(getPoints, setPoints)

    def __reduce__(self):
        return _make_hull, (self._points,)

    def __repr__(self):
        return "<ConvexHull: %d points>" % len(self._points)


def _make_hull(points):
    hull = ConvexHull()
    hull.setPoints(points)
    return hull
