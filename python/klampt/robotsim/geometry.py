"""Shapes of all kinds."""

import importlib
import os
import sys

import numpy as np

from ._native import native
from .appearance import Appearance
from .geometry_queries import GeometryQueries
from .shapes.cloud import PointCloud
from .shapes.geometry_data import cloud_of, grid_of, heightmap_of, hull_of, mesh_of, primitive_of
from .shapes.grid import ImplicitSurface, OccupancyGrid
from .shapes.heightmap import Heightmap
from .shapes.mesh import ConvexHull, TriangleMesh
from .shapes.primitive import GeometricPrimitive

_IDENTITY = [1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0]


class Group:
    """Stands for the data of a group without elements."""


def _same(a, b):
    """Returns whether two sets of data hold the same arrays."""
    for key, value in vars(a).items():
        if isinstance(value, np.ndarray):
            other = vars(b)[key]
            if value.shape != other.shape or not np.array_equal(value, other):
                return False
    return True


class Geometry3D(GeometryQueries):
    """A shape: a primitive, hull, mesh, cloud, implicit surface, occupancy grid, heightmap, or a group of shapes.

    Either of its own, or that of something in a world, which then changes with it. It has a current transform, which
    places it in the world without changing its data, and a collision margin, a layer around it that counts as solid.
    """

    def __init__(self, arg=None):
        self._shape = native.Shape()
        self._world = None
        self.id = -1
        self._appearance = None
        self._parts = None
        if arg is None:
            return
        if isinstance(arg, Geometry3D):
            self.set(arg)
        elif isinstance(arg, (str, os.PathLike)):
            if not self.loadFile(arg):
                raise RuntimeError("the geometry file '%s' cannot be read" % (arg,))
        else:
            self._set_data(arg)

    @classmethod
    def _of(cls, shape, world=None, id=-1):
        """A reference to a shape of a world, or a geometry around a shape."""
        geometry = cls.__new__(cls)
        geometry._shape = shape
        geometry._world = world
        geometry.id = id
        geometry._appearance = None
        geometry._parts = None
        return geometry

    @property
    def world(self):
        """Number of the world it belongs to; -1: none."""
        return -1 if self._world is None else self._world.number

    @property
    def geomPtr(self):
        """A number that identifies the shape."""
        return id(self._shape)

    # Data.

    def _cached(self):
        """The data object handed out last, while the shape is still that."""
        kept = self._shape.data_object
        return kept[0] if kept is not None and kept[1] == self._shape.version() else None

    def _keep(self, data):
        data._owner = self._owner_reference()
        self._shape.data_object = (data, self._shape.version(), data.copy())

    def _owner_reference(self):
        return Geometry3D._of(self._shape, self._world, self.id)

    def _sync(self):
        """Takes over what was written into views of the data."""
        kept = self._shape.data_object
        if kept is None or kept[1] != self._shape.version():
            return
        if not _same(kept[0], kept[2]):
            self._take(kept[0])

    def _take(self, data):
        """The data of this shape have changed."""
        self._write(data)
        self._shape.data_object = (data, self._shape.version(), data.copy())

    def _write(self, data):
        shape, margin = self._shape, self._shape.margin()
        if isinstance(data, TriangleMesh):
            shape.setMesh(data._vertices, data._indices)
        elif isinstance(data, PointCloud):
            settings = data._settings
            rows = int(settings.get("height", 0) or 0)
            columns = int(settings.get("width", 0) or 0)
            if rows * columns != len(data._points):
                rows = columns = 0
            shape.setCloud(data._points, data._names, data._properties, columns, rows)
        elif isinstance(data, GeometricPrimitive):
            if data._type:
                shape.setPrimitive(data._type, data._properties.tolist())
            else:
                shape.clear()
        elif isinstance(data, ConvexHull):
            shape.setHull(data._points)
        elif isinstance(data, ImplicitSurface):
            shape.setImplicit(data._bmin, data._bmax, data._values, data._number) if data._ready() else shape.clear()
        elif isinstance(data, OccupancyGrid):
            shape.setOccupancy(data._bmin, data._bmax, data._values, data._number) if data._ready() else shape.clear()
        elif isinstance(data, Heightmap):
            self._write_heights(data)
        else:
            raise TypeError("a geometry is not made of a %s" % type(data).__name__)
        if margin:
            shape.setMargin(margin)

    def _write_heights(self, data):
        w, h = data._heights.shape
        whole = bool(np.isfinite(data._heights).all())
        if data.isPerspective() or w < 2 or h < 2 or not whole:
            points, triangles = data._vertices(), data._triangles()
            if not whole:  # What has no height is left out.
                finite = np.isfinite(points).all(axis=1)
                triangles = triangles[finite[triangles].all(axis=1)]
                if not len(triangles):
                    self._shape.clear()
                    return
                points[~finite] = points[triangles[0, 0]]
            self._shape.setMesh(points, triangles)
            return
        v = data._viewport
        size = ((w - 1) / v.fx, (h - 1) / v.fy)
        center = [(0.5 * w - v.cx) / v.fx, (0.5 * h - v.cy) / v.fy, 0.0]
        self._shape.setHeights(data._heights[:, ::-1].astype(float), size[0], size[1], _IDENTITY, center)

    def _set_data(self, data):
        copy = data.copy()
        self._write(copy)
        if isinstance(copy, Heightmap) or self._shape.type() == "":
            self._keep(copy)
        else:
            self._shape.data_object = None

    def _get_data(self, kind, make):
        if self.type() != kind.__name__:
            raise RuntimeError("the geometry is of type '%s', not '%s': use convert" % (self.type(), kind.__name__))
        data = self._cached()
        if isinstance(data, kind):
            return data
        data = make(self._shape.data())
        self._keep(data)
        return data

    def copy(self):
        """A geometry of its own like this one."""
        result = Geometry3D()
        result.set(self)
        return result

    clone = copy

    def set(self, other):
        """Takes over the shape of another geometry. One of its own takes over the transform, too."""
        if not isinstance(other, Geometry3D):
            return self._set_data(other)
        other._sync()
        self._shape.set(other._shape)
        data = other._cached()
        if isinstance(data, Heightmap):
            self._keep(data.copy())
        else:
            self._shape.data_object = None
        if self._world is None:
            self._shape.setTransform(*other._shape.getTransform())
        if other._appearance is not None:
            self._appearance = other._appearance.clone()

    def isStandalone(self):
        """Returns whether it belongs to no world."""
        return self._world is None

    def free(self):
        """Drops the shape of a geometry of its own; what it refers to in a world stays."""
        if self._world is None:
            self._shape = native.Shape()
        self._parts = None

    def type(self):
        """'GeometricPrimitive', 'ConvexHull', 'TriangleMesh', 'PointCloud', 'ImplicitSurface', 'OccupancyGrid',
        'Heightmap', 'Group', or '' when it is empty."""
        data = self._cached()
        return type(data).__name__ if data is not None else self._shape.type()

    def empty(self):
        """Returns whether it holds nothing."""
        return self._shape.empty() and self._cached() is None

    def refreshCollider(self):
        """Takes over changes that were written into views, and prepares for queries."""
        self._sync()
        self._shape.prepare()

    def getTriangleMesh(self):
        """Its mesh; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(TriangleMesh, mesh_of)

    def getPointCloud(self):
        """Its cloud; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(PointCloud, cloud_of)

    def getGeometricPrimitive(self):
        """Its primitive; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(GeometricPrimitive, primitive_of)

    def getConvexHull(self):
        """Its hull; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(ConvexHull, hull_of)

    def getImplicitSurface(self):
        """Its implicit surface; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(ImplicitSurface, lambda d: grid_of(ImplicitSurface, d))

    getVolumeGrid = getImplicitSurface

    def getOccupancyGrid(self):
        """Its grid; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(OccupancyGrid, lambda d: grid_of(OccupancyGrid, d))

    def getHeightmap(self):
        """Its heightmap; changes to that change the geometry. Raises RuntimeError for another type."""
        return self._get_data(Heightmap, heightmap_of)

    def _checked_set(self, data, kind):
        if not isinstance(data, kind):
            raise TypeError("a %s is needed, not a %s" % (kind.__name__, type(data).__name__))
        self._set_data(data)

    def setTriangleMesh(self, mesh):
        """Becomes a copy of a mesh."""
        self._checked_set(mesh, TriangleMesh)

    def setPointCloud(self, cloud):
        """Becomes a copy of a cloud."""
        self._checked_set(cloud, PointCloud)

    def setGeometricPrimitive(self, primitive):
        """Becomes a copy of a primitive."""
        self._checked_set(primitive, GeometricPrimitive)

    def setConvexHull(self, hull):
        """Becomes a copy of a hull."""
        self._checked_set(hull, ConvexHull)

    def setConvexHullGroup(self, g1, g2):
        """Becomes the convex hull of two geometries where they are now."""
        points = []
        for geometry in (g1, g2):
            hull = geometry.convert("ConvexHull")
            data = hull.getConvexHull().copy()
            data.transform(*geometry.getCurrentTransform())
            points.append(data.points)
        result = ConvexHull()
        result.setPoints(np.vstack(points))
        self._set_data(result)

    def setImplicitSurface(self, grid):
        """Becomes a copy of an implicit surface."""
        self._checked_set(grid, ImplicitSurface)

    setVolumeGrid = setImplicitSurface

    def setOccupancyGrid(self, grid):
        """Becomes a copy of an occupancy grid."""
        self._checked_set(grid, OccupancyGrid)

    def setHeightmap(self, hm):
        """Becomes a copy of a heightmap."""
        self._checked_set(hm, Heightmap)

    # Groups.

    def setGroup(self):
        """Becomes a group without elements."""
        self._shape.clear()
        self._shape.data_object = (Group(), self._shape.version(), Group())

    def numElements(self):
        """Triangles of a mesh, points of a cloud, elements of a group, cells of a grid; 1 of a primitive."""
        return self._shape.numElements()

    def getElement(self, element):
        """A geometry of an element of a group, mesh or cloud, in local coordinates."""
        return Geometry3D._of(self._shape.element(int(element)))

    def setElement(self, element, data):
        """Replaces an element of a group, or appends one; of a mesh or cloud, moves its corners or point."""
        element = int(element)
        data._sync()
        kind = self.type()
        if kind == "Group":
            parts = [self._shape.element(i) for i in range(self._shape.numElements())]
            if element > len(parts) or element < 0:
                raise RuntimeError("the group has %d elements, so element %d cannot be set" % (len(parts), element))
            parts[element:element + 1] = [data._shape]
            self._shape.setGroup(parts)
        elif kind == "TriangleMesh":
            mesh = self.getTriangleMesh()
            mesh.vertices[mesh.indices[element]] = np.reshape(data.getGeometricPrimitive().properties, (3, 3))
            self._take(mesh)
        elif kind == "PointCloud":
            self.getPointCloud().setPoint(element, data.getGeometricPrimitive().properties)
        else:
            raise RuntimeError("a geometry of type '%s' has no elements to set" % kind)

    # Files.

    def loadFile(self, fn):
        """Reads a file by its content and extension. False, with the reason on stderr, when it cannot be read.

        ros://TOPIC and ros:PointCloud2//TOPIC let it follow the clouds on a topic of ROS (process_streams()).
        """
        if str(fn).startswith("ros:"):
            streams = importlib.import_module("klampt.io._ros.streams")
            return streams.subscribe(self, *streams.split_address(str(fn)))
        try:
            self._shape.load(os.fspath(fn))
        except RuntimeError as error:
            print("Geometry3D.loadFile: %s" % error, file=sys.stderr)
            return False
        self._shape.data_object = None
        return True

    def saveFile(self, fn):
        """Writes a file by its extension. False, with the reason on stderr, when it cannot be written."""
        self._sync()
        try:
            self._shape.save(os.fspath(fn))
        except RuntimeError as error:
            print("Geometry3D.saveFile: %s" % error, file=sys.stderr)
            return False
        return True

    # Placement.

    def setCurrentTransform(self, R, t):
        """Places the geometry without changing its data."""
        self._shape.setTransform(R, t)

    def getCurrentTransform(self):
        """Returns where the geometry is: (R, t)."""
        return self._shape.getTransform()

    def _edited(self):
        self._sync()
        if self.empty():
            return False
        heights = self._cached()
        if isinstance(heights, Heightmap):
            self._shape.data_object = None
        return True

    def translate(self, t):
        """Moves the data by a vector."""
        if self._edited():
            self._shape.transform(_IDENTITY, t)

    def scale(self, *factors):
        """Scales the data, evenly or by three factors."""
        if len(factors) == 1:
            factors = factors * 3
        if len(factors) != 3:
            raise TypeError("scale takes one factor or three")
        if self._edited():
            self._shape.scale(*[float(f) for f in factors])

    def rotate(self, R):
        """Turns the data."""
        if self._edited():
            self._shape.transform(R, [0.0, 0.0, 0.0])

    def transform(self, R, t):
        """Moves and turns the data, or maps them by any matrix."""
        if self._edited():
            self._shape.transform(R, t)

    def setAppearance(self, appearance):
        """Gives it an appearance of its own."""
        self._appearance = appearance.clone()

    def getAppearance(self):
        """The appearance it was given, or an empty one."""
        return self._appearance if self._appearance is not None else Appearance()

    def setCollisionMargin(self, margin):
        """Sets the layer around the geometry that counts as solid, in meters."""
        data = self._shape.data_object
        keep = data is not None and data[1] == self._shape.version()
        self._shape.setMargin(float(margin))
        if keep:
            self._shape.data_object = (data[0], self._shape.version(), data[2])

    def getCollisionMargin(self):
        """The layer around the geometry that counts as solid, in meters."""
        return self._shape.margin()

    def getBB(self):
        """A box around the geometry in the world: (lower corner, upper corner)."""
        self._sync()
        return self._shape.bounds()

    getBBTight = getBB

    def convert(self, type, param=0):
        """A geometry of another type like this one; `param` is a length: of cells, edges, between points. 0: reasonable."""
        self._sync()
        if type == "VolumeGrid":
            type = "ImplicitSurface"
        data = self._cached()
        if isinstance(data, Heightmap) and type == "Heightmap":
            return self.copy()
        if isinstance(data, Heightmap) and type == "PointCloud":
            result = Geometry3D(data.to_cloud())
            result.setCurrentTransform(*self.getCurrentTransform())
            return result
        return Geometry3D._of(self._shape.convert(type, float(param)))

    def __reduce__(self):
        if self.type() == "Group":
            elements = [self.getElement(i) for i in range(self.numElements())]
            return _make_group, (elements, self.getCurrentTransform())
        data = None
        if not self.empty():
            data = getattr(self, "get" + self.type())().copy()
        return _make_geometry, (data, self.getCurrentTransform(), self.getCollisionMargin())

    def __repr__(self):
        return "<Geometry3D: %s, %d elements>" % (self.type() or "empty", self.numElements())


def _make_geometry(data, transform, margin):
    geometry = Geometry3D(data)
    geometry.setCurrentTransform(*transform)
    if margin:
        geometry.setCollisionMargin(margin)
    return geometry


def _make_group(elements, transform):
    geometry = Geometry3D()
    geometry.setGroup()
    for i, element in enumerate(elements):
        geometry.setElement(i, element)
    geometry.setCurrentTransform(*transform)
    return geometry
