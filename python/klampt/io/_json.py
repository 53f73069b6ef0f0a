"""Objects as plain data for JSON, and back."""

from ..math import so3, vectorops
from ..model import trajectory
from ..model.contact import ContactPoint
from ..robotsim import (ConvexHull, Geometry3D, IKObjective, ImplicitSurface, OccupancyGrid,
                        PointCloud, TriangleMesh)
from . import _text

_PLAIN = {"Config", "Configs", "Vector", "Matrix", "Vector2", "Vector3", "Matrix3", "Point",
          "Rotation", "Value", "IntArray", "StringArray", "RigidTransform"}
_GETTERS = {"GeometricPrimitive": "getGeometricPrimitive", "TriangleMesh": "getTriangleMesh",
            "PointCloud": "getPointCloud", "ConvexHull": "getConvexHull",
            "ImplicitSurface": "getImplicitSurface", "VolumeGrid": "getImplicitSurface",
            "OccupancyGrid": "getOccupancyGrid"}


def _plain(v):
    return v.tolist() if hasattr(v, "tolist") else [_plain(x) for x in v] if isinstance(
        v, (list, tuple)) else v


def _guess(obj):
    numbers = (bool, int, float)
    if isinstance(obj, (*numbers, str)):
        return "Value"
    if isinstance(obj, (list, tuple)):
        if all(isinstance(v, numbers) for v in obj):
            return "Vector"
        if len(obj) == 2 and all(hasattr(v, "__len__") for v in obj) and (
                len(obj[0]), len(obj[1])) == (9, 3):
            return "RigidTransform"
        if all(hasattr(v, "__iter__") and all(isinstance(x, numbers) for x in v) for v in obj):
            return "Configs"
        raise TypeError("to_json() wants numbers, vectors of numbers or a transform in lists")
    return type(obj).__name__


def _ik_to_json(obj, type):
    res = {"type": type, "link": obj.link()}
    if obj.destLink() >= 0:
        res["destLink"] = obj.destLink()
    kind = {3: "fixed", 2: "linear", 1: "planar"}.get(obj.numPosDims())
    if kind:
        res["posConstraint"] = kind
        res["localPosition"], res["endPosition"] = map(list, obj.getPosition())
        if kind != "fixed":
            res["direction"] = list(obj.getPositionDirection())
    if obj.numRotDims() == 3:
        res["rotConstraint"], res["endRotation"] = "fixed", so3.moment(obj.getRotation())
    elif obj.numRotDims() == 2:
        res["rotConstraint"] = "axis"
        res["localAxis"], res["endRotation"] = map(list, obj.getRotationAxis())
    return res


def to_json(obj, type="auto"):
    """Plain data of an object."""
    if type == "auto":
        type = _guess(obj)
    if type in _PLAIN:
        return _plain(obj) if hasattr(obj, "tolist") else obj
    if type == "ContactPoint":
        return {"x": list(obj.x), "n": list(obj.n), "kFriction": obj.kFriction}
    if type in ("Trajectory", "LinearPath", "RobotTrajectory"):
        return {"times": list(obj.times), "milestones": [list(m) for m in obj.milestones]}
    if type.endswith("Trajectory"):
        return {"type": type, "times": list(obj.times), "milestones": [list(m) for m in
                                                                       obj.milestones]}
    if type in ("IKObjective", "IKGoal"):
        return _ik_to_json(obj, type)
    if type == "TriangleMesh":
        return {"type": type, "indices": _plain(obj.indices), "vertices": _plain(obj.vertices)}
    if type == "ConvexHull":
        return {"type": type, "points": _plain(obj.points)}
    if type == "PointCloud":
        res = {"type": type, "points": _plain(obj.points)}
        if obj.numProperties():
            res["propertyNames"] = [obj.getPropertyName(i) for i in range(obj.numProperties())]
            res["properties"] = _plain(obj.properties)
        return res
    if type in ("ImplicitSurface", "VolumeGrid", "OccupancyGrid"):
        return {"type": type, "bmin": list(obj.bmin), "bmax": list(obj.bmax),
                "dims": list(obj.values.shape), "values": obj.values.flatten().tolist()}
    if type == "Geometry3D":
        kind = obj.type()
        if kind == "Group":
            data = [to_json(obj.getElement(i)) for i in range(obj.numElements())]
        else:
            data = to_json(getattr(obj, _GETTERS[kind])(), kind) if kind in _GETTERS else None
        return {"type": type, "datatype": kind, "data": data}
    if type in _text.writers:
        return {"type": type, "data": _text.writers[type](obj)}
    raise ValueError(f"an object of type {type} cannot be written as JSON")


def _ik_from_json(data):
    obj = IKObjective()
    obj.setLinks(data["link"], data.get("destLink", -1))
    local, end = data.get("localPosition"), data.get("endPosition")
    kind = data.get("posConstraint", "free")
    if kind == "fixed":
        obj.setFixedPosConstraint(local, end)
    elif kind == "linear":
        obj.setLinearPosConstraint(local, end, data["direction"])
    elif kind == "planar":
        obj.setPlanarPosConstraint(local, data["direction"],
                                   vectorops.dot(data["direction"], end))
    else:
        obj.setFreePosition()
    kind = data.get("rotConstraint", "free")
    if kind == "fixed":
        obj.setFixedRotConstraint(so3.from_moment(data["endRotation"]))
    elif kind == "axis":
        obj.setAxialRotConstraint(data["localAxis"], data["endRotation"])
    elif kind == "free":
        obj.setFreeRotConstraint()
    else:
        raise ValueError(f"rotation constraint '{kind}' is not known")
    return obj


def _type_of(data):
    if not isinstance(data, dict):
        return "Value"
    if "type" in data:
        return data["type"]
    if "times" in data and "milestones" in data:
        return "Trajectory"
    if {"x", "n", "kFriction"} <= set(data):
        return "ContactPoint"
    raise TypeError("from_json() wants a 'type', a trajectory or a contact; the keys are "
                    + ", ".join(map(str, data)))


def from_json(jsonobj, type="auto"):
    """The object of plain data."""
    import numpy as np
    if type == "auto":
        type = _type_of(jsonobj)
    if type in _PLAIN:
        return jsonobj
    if type == "ContactPoint":
        return ContactPoint(jsonobj["x"], jsonobj["n"], jsonobj["kFriction"])
    if type in ("Trajectory", "LinearPath") or type.endswith("Trajectory"):
        name = type if type.endswith("Trajectory") and type != "RobotTrajectory" else "Trajectory"
        return getattr(trajectory, name)(jsonobj["times"], jsonobj["milestones"])
    if type in ("IKObjective", "IKGoal"):
        return _ik_from_json(jsonobj)
    if type == "TriangleMesh":
        mesh = TriangleMesh()
        mesh.setVertices(np.array(jsonobj["vertices"], dtype=float).reshape(-1, 3))
        mesh.setIndices(np.array(jsonobj["indices"], dtype=np.int32).reshape(-1, 3))
        return mesh
    if type == "ConvexHull":
        hull = ConvexHull()
        hull.points = np.array(jsonobj["points"], dtype=float)
        return hull
    if type == "PointCloud":
        pc = PointCloud()
        pc.setPoints(np.array(jsonobj["points"], dtype=float).reshape(-1, 3))
        columns = np.array(jsonobj.get("properties", []), dtype=float)
        for i, name in enumerate(jsonobj.get("propertyNames", [])):
            pc.addProperty(name, columns[:, i])
        return pc
    if type in ("ImplicitSurface", "VolumeGrid", "OccupancyGrid"):
        grid = OccupancyGrid() if type == "OccupancyGrid" else ImplicitSurface()
        grid.bmin, grid.bmax = jsonobj["bmin"], jsonobj["bmax"]
        grid.values = np.array(jsonobj["values"], dtype=float).reshape(jsonobj["dims"])
        return grid
    if type == "Geometry3D":
        kind = jsonobj["datatype"]
        if not kind:
            return Geometry3D()
        if kind == "Group":
            group = Geometry3D()
            group.setGroup()
            for i, part in enumerate(jsonobj["data"]):
                group.setElement(i, from_json(part))
            return group
        return Geometry3D(from_json(jsonobj["data"], kind))
    if type in _text.readers:
        return _text.readers[type](jsonobj["data"])
    raise ValueError(f"an object of type {type} cannot be read from JSON")


# Names of before version 0.9.
toJson, fromJson = to_json, from_json
