"""Klamp't's objects as numpy arrays, and back."""

import numpy as np

from ..math import se3, so3
from ..model import types
from ..robotsim import (Geometry3D, ImplicitSurface, OccupancyGrid, PointCloud, TriangleMesh)

SUPPORTED_TYPES = {"Vector3", "Point", "Matrix3", "Rotation", "RigidTransform", "Config", "Configs",
                   "Trajectory", "TriangleMesh", "PointCloud", "ImplicitSurface", "OccupancyGrid",
                   "Geometry3D"}
_GRIDS = ("ImplicitSurface", "VolumeGrid", "OccupancyGrid")
_PARTS = {"PointCloud": "getPointCloud", "TriangleMesh": "getTriangleMesh",
          "ImplicitSurface": "getImplicitSurface", "VolumeGrid": "getImplicitSurface",
          "OccupancyGrid": "getOccupancyGrid"}


def _moved(geometry, points):
    R, t = geometry.getCurrentTransform()
    return points @ so3.ndarray(R).T + np.asarray(t)


def _geometry(obj):
    T = np.array(se3.homogeneous(obj.getCurrentTransform()))
    kind = obj.type()
    if kind == "Group":
        return (T, [_geometry(obj.getElement(i)) for i in range(obj.numElements())])
    if kind not in _PARTS:
        raise ValueError(f"a geometry of type {kind} has no arrays; convert() it first")
    data = to_numpy(getattr(obj, _PARTS[kind])(), kind)
    return (T, tuple(np.array(a) for a in data) if isinstance(data, tuple) else np.array(data))


def to_numpy(obj, type="auto"):
    """Arrays of an object.

    Transforms: 4 x 4; rotations: 3 x 3; trajectories: (times, milestones); meshes:
    (vertices, indices); clouds: points with properties, a row each; grids: (bmin, bmax,
    values); Geometry3D: (transform, arrays). Meshes and clouds of a Geometry3D are in the
    world.
    """
    if type == "auto":
        type = types.object_to_type(obj, SUPPORTED_TYPES)
    if type not in SUPPORTED_TYPES and type not in _GRIDS:
        raise ValueError(f"type {type} is not supported; those that are: "
                         + ", ".join(sorted(SUPPORTED_TYPES)))
    if type == "RigidTransform":
        return np.array(se3.homogeneous(obj))
    if type in ("Rotation", "Matrix3"):
        return np.array(so3.matrix(obj))
    if type == "Trajectory":
        return (np.array(obj.times), np.array(obj.milestones))
    if type == "TriangleMesh":
        if isinstance(obj, Geometry3D):
            mesh = obj.getTriangleMesh()
            return (_moved(obj, np.asarray(mesh.vertices)), np.array(mesh.indices))
        return (obj.vertices, obj.indices)
    if type == "PointCloud":
        cloud = obj.getPointCloud() if isinstance(obj, Geometry3D) else obj
        points, properties = np.asarray(cloud.points), np.asarray(cloud.properties)
        if isinstance(obj, Geometry3D):
            points = _moved(obj, points)
        return np.hstack((points, properties)) if properties.size else points
    if type in _GRIDS:
        return (np.array(obj.bmin), np.array(obj.bmax), obj.values)
    if type == "Geometry3D":
        return _geometry(obj)
    return np.array(obj)


def _array_type(obj):
    """Type of arrays without other knowledge."""
    if isinstance(obj, np.ndarray):
        if obj.shape == (3, 3):
            return "Matrix3"
        if obj.shape == (4, 4):
            return "RigidTransform"
        if obj.ndim == 1:
            return "Config"
    elif isinstance(obj, (tuple, list)) and len(obj):
        arrays = all(isinstance(v, np.ndarray) for v in obj)
        if len(obj) == 2 and arrays and obj[0].shape == (4, 4):
            return "Geometry3D"
        if len(obj) == 2 and arrays and obj[0].ndim == 1 and obj[1].ndim == 2:
            return "Trajectory"
        if len(obj) == 2 and arrays and obj[0].ndim == 2 and obj[1].shape[1:] == (3,):
            return "TriangleMesh"
        if len(obj) == 3 and arrays and obj[0].shape == obj[1].shape == (3,):
            return "ImplicitSurface"
        if isinstance(obj[0], np.ndarray) and obj[0].shape == (4, 4):
            return "Geometry3D"
    shapes = [getattr(v, "shape", "?") for v in obj] if not hasattr(obj, "shape") else obj.shape
    raise ValueError(f"the type of arrays of shapes {shapes} cannot be told; give the type")


def _grid(obj, type):
    assert len(obj) == 3 and obj[2].ndim == 3, "a grid wants (bmin, bmax, values of 3 dimensions)"
    res = OccupancyGrid() if type == "OccupancyGrid" else ImplicitSurface()
    res.bmin, res.bmax = list(map(float, obj[0])), list(map(float, obj[1]))
    res.values = np.asarray(obj[2], dtype=float)
    return res


def _from_geometry(obj, template):
    if not isinstance(obj, (list, tuple)) or len(obj) != 2:
        raise ValueError("a Geometry3D wants (transform, arrays)")
    data = obj[1]
    kind = template.type() if template is not None else None
    if kind is None:
        if isinstance(data, np.ndarray):
            kind = "PointCloud"
        elif all(isinstance(v, np.ndarray) for v in data):
            kind = _array_type(data)
        else:
            kind = "Group"
    if kind == "Group":
        g = Geometry3D()
        g.setGroup()
        for i, part in enumerate(data):
            sub = template.getElement(i) if template is not None else None
            g.setElement(i, _from_geometry(part, sub))
    elif kind == "PointCloud":
        like = template.getPointCloud() if template is not None else None
        g = Geometry3D(from_numpy(data, kind, like))
    else:
        g = Geometry3D(from_numpy(data, kind))
    g.setCurrentTransform(*se3.from_homogeneous(obj[0]))
    return g


def from_numpy(obj, type="auto", template=None):
    """The object of arrays, by type, by an object like it (template), or by shapes."""
    if type == "auto" and template is not None:
        type = types.object_to_type(template, SUPPORTED_TYPES)
    if type == "auto":
        type = _array_type(obj)
    if type == "RigidTransform":
        return se3.from_homogeneous(obj)
    if type in ("Rotation", "Matrix3"):
        return so3.from_matrix(obj)
    if type == "Trajectory":
        times, milestones = obj[0].tolist(), obj[1].tolist()
        if template is not None:
            return template.constructor()(times, milestones)
        from ..model.trajectory import Trajectory
        return Trajectory(times, milestones)
    if type == "TriangleMesh":
        mesh = TriangleMesh()
        mesh.setVertices(np.asarray(obj[0], dtype=float))
        mesh.setIndices(np.asarray(obj[1], dtype=np.int32))
        return mesh
    if type == "PointCloud":
        obj = np.asarray(obj, dtype=float)
        assert obj.ndim == 2 and obj.shape[1] >= 3, "a cloud wants rows of at least 3 numbers"
        cloud = PointCloud()
        cloud.setPointsAndProperties(obj)
        if template is not None:
            if template.numProperties() != obj.shape[1] - 3:
                raise ValueError(f"the template has {template.numProperties()} properties, the "
                                 f"array {obj.shape[1] - 3}")
            for i in range(template.numProperties()):
                cloud.setPropertyName(i, template.getPropertyName(i))
        return cloud
    if type in _GRIDS:
        return _grid(obj, type)
    if type == "Geometry3D":
        return _from_geometry(obj, template)
    if type not in SUPPORTED_TYPES:
        raise ValueError(f"type {type} is not supported; those that are: "
                         + ", ".join(sorted(SUPPORTED_TYPES)))
    return obj.tolist() if type == "Configs" else obj.flatten().tolist()
